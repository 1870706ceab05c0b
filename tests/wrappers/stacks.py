"""Every wrapper of the package in the settings that the tests share, and stacks of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym

from craftax_text_gym import wrappers
from craftax_text_gym.wrappers import vector
from craftax_text_gym.wrappers.action_sequence import ActionSequence
from craftax_text_gym.wrappers.goal_reward import GoalReward
from craftax_text_gym.wrappers.history import History
from craftax_text_gym.wrappers.step_cap import StepCap
from craftax_text_gym.wrappers.text_actions import TextActions

Wrap = Callable[[Any, Path], Any]
"""From an environment, and a folder for what it writes, to a wrapped one."""

WRITERS: dict[str, Wrap] = {
    "AchievementLogger": lambda env, folder: wrappers.AchievementLogger(env, str(folder / "log.jsonl")),
    "EpisodeScores": lambda env, _: wrappers.EpisodeScores(env),
    "RecordTrajectory": lambda env, folder: wrappers.RecordTrajectory(env, str(folder)),
}

SINGLE: dict[str, Wrap] = {
    "StepCap": lambda env, _: StepCap(env, 6),
    "StepCap announced": lambda env, _: StepCap(env, 6, announce=True),
    "StepCap of decisions": lambda env, _: StepCap(env, 6, unit="decision", announce=True),
    "TextActions": lambda env, _: TextActions(env),
    "TextActions noop": lambda env, _: TextActions(env, "noop"),
    "TextActions feedback": lambda env, _: TextActions(env, "feedback"),
    "ActionSequence": lambda env, _: ActionSequence(env, 4),
    "ActionSequence to the end": lambda env, _: ActionSequence(env, 4, stop_on=()),
    "History": lambda env, _: History(env, 3),
    "History of few tokens": lambda env, _: History(env, 3, budget_tokens=1200),
    "GoalReward": lambda env, _: GoalReward(env, "collect_wood", announce=True),
    "GoalReward beside the game's": lambda env, _: GoalReward(
        env, "collect_sapling", 2.5, terminate=False, keep_game_reward=True
    ),
    "a full stack": lambda env, _: full_stack(env),
    **WRITERS,
}

VECTOR: dict[str, Wrap] = {
    "TextActions": lambda envs, _: vector.TextActions(envs),
    "TextActions noop": lambda envs, _: vector.TextActions(envs, "noop"),
    "History": lambda envs, _: vector.History(envs, 3),
    "GoalReward": lambda envs, _: vector.GoalReward(envs, "collect_wood", announce=True),
    "AchievementLogger": lambda envs, folder: vector.AchievementLogger(envs, str(folder / "log.jsonl")),
    "EpisodeScores": lambda envs, _: vector.EpisodeScores(envs),
    "RecordTrajectory": lambda envs, folder: vector.RecordTrajectory(envs, str(folder)),
    "History of TextActions": lambda envs, _: vector.History(vector.TextActions(envs, "noop"), 2),
}


def full_stack(env: gym.Env[Any, Any]) -> gym.Env[Any, Any]:
    """All wrappers that change what an agent sees and does, in the order that the documents advise."""
    env = ActionSequence(StepCap(GoalReward(env, "collect_wood", terminate=False), 40, announce=True), 3)
    return History(StepCap(TextActions(env, "feedback"), 30, unit="decision"), 2, budget_tokens=3000)


def make(name: str, env_id: str, folder: Path, **arguments: Any) -> Any:
    """An environment under one of `SINGLE`."""
    return SINGLE[name](gym.make(env_id, **arguments), folder)
