"""Episodes of synchronous agents, in one vector environment."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from craftax_text_gym.agents import Agent
from craftax_text_gym.evaluation.backends import ExecutionConfig
from craftax_text_gym.evaluation.episodes import OnAchievement, count_step, is_async, make_record
from craftax_text_gym.evaluation.run_settings import RunSettings, replies_in_text
from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally
from craftax_text_gym.vector.episodes import pick

_IDLE_ACTION = 0


@dataclass(slots=True)
class _Slot:
    """One game of the vector environment.

    Attributes:
        agent: The agent that plays it.
        seed: The seed of its last reset.
        tally: The current episode's; None once no seed is left: the slot then idles, as a vector steps all its games.
        observation: The last observation.
        info: The info that came with it.
    """

    agent: Agent
    seed: int = 0
    tally: EpisodeTally | None = None
    observation: Any = None
    info: Mapping[str, Any] | None = None


def supports(settings: RunSettings) -> bool:
    """Whether a vector environment can play with these settings."""
    agent = settings.make_agent()
    return (
        settings.max_actions == 1
        and settings.max_decisions is None
        and not replies_in_text(agent)
        and not is_async(agent)
    )


def play(
    settings: RunSettings, seeds: Sequence[int], execution: ExecutionConfig
) -> Generator[EpisodeRecord, None, None]:
    """Play one episode for each seed; see `Backend`. It records no trajectories."""
    waiting = deque(seeds)
    # The size depends on all seeds, not on those that are left: each vector size is compiled separately.
    slots = [_Slot(settings.make_agent()) for _ in range(min(execution.num_envs, len(settings.seeds)))]
    envs: Any = gym.make_vec(
        settings.spec.env_id,
        len(slots),
        autoreset_mode=AutoresetMode.DISABLED,
        **settings.env_arguments(slots[0].agent),
    )
    try:
        _begin(envs, slots, np.ones(len(slots), bool), waiting, settings.game)
        while any(slot.tally for slot in slots):
            records, ended = _step(envs, slots, execution.on_achievement)
            yield from records
            if ended.any():
                _begin(envs, slots, ended, waiting, settings.game)
    finally:
        envs.close()
        for slot in slots:
            getattr(slot.agent, "close", lambda: None)()


def _begin(envs: Any, slots: list[_Slot], mask: NDArray[np.bool_], waiting: deque[int], game: str) -> None:
    """Begin the next episodes in the slots of a mask; a slot without a seed idles in the world of its last one."""
    started = []
    for index in np.flatnonzero(mask).tolist():
        if waiting:
            slots[index].seed = waiting.popleft()
            started.append(index)
    if not started and not any(slot.tally for slot in slots):
        return
    observations, infos = envs.reset(seed=[slot.seed for slot in slots], options={"reset_mask": mask})
    for index in started:
        slot = slots[index]
        slot.observation, slot.info = pick(observations, index), pick(infos, index)
        slot.agent.reset(slot.seed)
        slot.tally = EpisodeTally.begin(game, slot.info)


def _step(
    envs: Any, slots: list[_Slot], on_achievement: OnAchievement
) -> tuple[list[EpisodeRecord], NDArray[np.bool_]]:
    """Step every game once.

    Returns:
        The records of the episodes that ended, and bool `[num_envs]`: which games ended.
    """
    space = envs.single_action_space
    actions = [
        space.resolve(slot.agent.act(slot.observation, slot.info or {})) if slot.tally else _IDLE_ACTION
        for slot in slots
    ]
    observations, rewards, terminated, truncated, infos = envs.step(np.array(actions))
    records = []
    for index, slot in enumerate(slots):
        if slot.tally is None:
            continue
        info = pick(infos, index)
        slot.observation, slot.info = pick(observations, index), info
        count_step(slot.tally, rewards[index], terminated[index], truncated[index], info, on_achievement)
        if terminated[index] or truncated[index]:
            records.append(make_record(slot.tally, slot.agent))
            slot.tally = None
    return records, terminated | truncated
