"""Plays of the rules on rewards and the end."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import gymnasium as gym
import numpy as np

import craftax_text_gym  # noqa: F401  (registers the ids)
from craftax_text_gym.games import ALL
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.goals import rewards
from tests.availability.arena import arena
from tests.handbook.stage import AHEAD, PLAYS, Fact, Run, has, play, plays, samples, with_mob, with_shot

_PAYING: dict[int, tuple[str, str, dict[str, Any]]] = {
    1: ("collect_wood", "do", {"faced": "tree"}),
    3: ("enter_dungeon", "descend", {"underfoot": 2, "kills": 8}),
    5: ("enter_sewers", "descend", {"floor": 2, "underfoot": 2, "kills": 8}),
    8: ("enter_fire_realm", "descend", {"floor": 5, "underfoot": 2, "kills": 8}),
}
"""Reward -> an achievement that pays it, and how to reach it."""


def _paid(spec: GameSpec) -> list[int]:
    if spec.key == "classic":
        return [1] * len(import_module("craftax.craftax_classic.constants").Achievement)
    return [int(paid) for paid in import_module("craftax.craftax.constants").ACHIEVEMENT_REWARD_MAP]


@plays("goals.achievements")
def achievements(spec: GameSpec) -> Any:
    run = Run(spec, arena(spec.key, faced="tree")).act("do")
    assert run.scene.reward_achievements == 1
    again = arena(spec.key, faced="tree", unlocked=("collect_wood",))
    assert Run(spec, again).act("do").scene.reward_achievements == 0
    yield from (len(run.state.achievements), sum(_paid(spec)))


def _pay(reward: int, spec: GameSpec) -> Any:
    key, action, fields = _PAYING[reward]
    scene = Run(spec, arena(spec.key, **fields)).act(action).scene
    assert (scene.new_achievements, round(scene.reward_achievements, 4)) == ((key,), reward)
    names = [entry.label for entry, paid in zip(spec.achievements, _paid(spec), strict=True) if paid == reward]
    yield f"{reward} each: {', '.join(names)}"


@plays("goals.health")
def points(spec: GameSpec) -> Any:
    gain = Run(spec, arena(spec.key, player_health=5, player_recover=25)).act("noop").scene
    yield round(gain.reward, 4) / 1
    loss = Run(spec, with_mob(spec, arena(spec.key), "zombie")).act("noop").scene
    yield round(-loss.reward / 2, 4)


@plays("goals.found", games=("full",))
def found(spec: GameSpec) -> list[Fact]:
    for tool in ("pickaxe", "sword"):
        after = play(spec, "noop", inventory={tool: 3})
        grades = ("wood", "stone", "iron", "diamond")
        assert [has(spec, after, f"make_{grade}_{tool}") for grade in grades] == [True, True, True, False]
    looted = list(samples(spec, arena("full", faced="chest"), "do", 60))
    for field, key in (("torches", "make_torch"), ("arrows", "make_arrow"), ("iron", "collect_iron")):
        counts = [bool(getattr(after.inventory, field)) for after in looted]
        assert counts == [has(spec, after, key) for after in looted]
        assert any(counts)
    return []


@plays("goals.waking")
def waking(spec: GameSpec) -> list[Fact]:
    asleep: dict[str, Any] = {"is_sleeping": True, "player_energy": 1}
    struck = play(spec, "noop", state=with_mob(spec, arena(spec.key, **asleep), "zombie"))
    shot = play(spec, "noop", state=with_shot(spec, arena(spec.key, **asleep), (1, 0), AHEAD))
    rested = play(spec, "noop", is_sleeping=True, player_energy=9)
    assert not any(bool(state.is_sleeping) for state in (struck, shot, rested))
    assert [has(spec, state, "wake_up") for state in (struck, shot, rested)] == [True, False, True]
    return []


@plays("goals.end")
def end(spec: GameSpec) -> Any:
    limit = gym.spec(spec.env_id).max_episode_steps
    logic: Any = import_module(f"craftax.{'craftax' if spec.key == 'full' else 'craftax_classic'}.game_logic")
    game: Any = import_module(f"craftax_text_gym.engine.{spec.key}")
    static = (game.STATIC,) if spec.key == "full" else ()
    over = [
        bool(np.asarray(logic.is_game_over(arena(spec.key, timestep=step), game.PARAMS(), *static)))
        for step in ((limit or 0) - 1, limit)
    ]
    assert over == [False, True]
    yield limit


for _spec in ALL:
    PLAYS[_spec.key] |= {f"goals.pay_{reward}": partial(_pay, reward) for reward in rewards(_spec)}
