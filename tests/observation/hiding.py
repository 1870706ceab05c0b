"""What the player cannot see, and states that differ in nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from craftax_text_gym import games
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.observation.layout import LIT_THRESHOLD
from tests.worlds import SLOTS, floor_of, to_numpy


def unseen(spec: games.GameSpec, state: Any) -> Any:
    """bool, as the maps: where the player sees nothing."""
    floor, rows, columns = floor_of(spec, state), spec.window[0] // 2, spec.window[1] // 2
    row, column = state.player_position
    hidden = np.ones(state.map.shape, bool)
    window = np.s_[max(0, row - rows) : row + rows + 1, max(0, column - columns) : column + columns + 1]
    hidden[floor][window] = state.light_map[floor][window] <= LIT_THRESHOLD if spec.key == "full" else False
    return hidden


def change_hidden_facts(spec: games.GameSpec, state: Any, rng: np.random.Generator) -> Any:
    """Another state of which the player sees exactly the same."""
    state = to_numpy(state)
    hidden = unseen(spec, state)
    state.map[hidden] = rng.integers(len(spec.blocks), size=hidden.sum())
    state.mob_map[hidden] = rng.random(hidden.sum()) < 0.1
    if spec.key == "full":
        state.item_map[hidden] = rng.integers(4, size=hidden.sum())
        dark = hidden & (state.light_map <= LIT_THRESHOLD)
        beyond = hidden.copy()
        beyond[state.player_level] &= state.light_map[state.player_level] > 2  # this floor's light stays as it is
        state.light_map[beyond] = rng.random(beyond.sum())
        state.light_map[dark & ~beyond] = rng.uniform(0, LIT_THRESHOLD, (dark & ~beyond).sum())
    for slots in SLOTS[spec.key]:
        change_mobs(spec, state, slots.field, slots.headings, hidden, rng)
    state.growing_plants_age[:] = rng.integers(1_000, size=state.growing_plants_age.shape)
    state.growing_plants_positions[:] = rng.permutation(state.growing_plants_positions)
    state.state_rng[:] = rng.integers(2**32, size=state.state_rng.shape, dtype=np.uint32)
    counters = {"player_hunger": 25, "player_thirst": 20, "player_fatigue": 30, "player_recover": 25}
    changes: dict[str, Any] = {name: np.float32(rng.uniform(0, limit)) for name, limit in counters.items()}
    if spec.key == "full":
        state.potion_mapping[:] = rng.permutation(6)
        state.chests_opened[:] = rng.random(state.chests_opened.shape) < 0.5
        for ladders in (state.down_ladders, state.up_ladders):
            ladders[:] = rng.integers(spec.map_size[0], size=ladders.shape)
        is_open = state.monsters_killed >= spec.kills_to_open
        state.monsters_killed[:] = np.where(
            is_open, rng.integers(8, 40, size=is_open.shape), rng.integers(8, size=is_open.shape)
        )
        wait = state.boss_timesteps_to_spawn_this_round
        changes |= {
            "player_recover_mana": np.float32(rng.uniform(0, 30)),
            "boss_progress": np.int32(rng.integers(8) if state.boss_progress < 8 else 8),
            "boss_timesteps_to_spawn_this_round": np.int32(rng.integers(1, 9) if wait > 0 else -rng.integers(9)),
        }
    return state.replace(**changes)


def change_mobs(
    spec: games.GameSpec, state: Any, field: str, headings: str | None, hidden: Any, rng: np.random.Generator
) -> None:
    mobs, floor = getattr(state, field), floor_of(spec, state)
    mobs.health[:] = rng.integers(1, 30, size=mobs.health.shape)
    mobs.attack_cooldown[:] = rng.integers(9, size=mobs.attack_cooldown.shape)
    there = np.argwhere(hidden[floor])
    positions, mask = mobs.position[floor], mobs.mask[floor]
    for slot in range(len(mask)):
        if mask[slot] and not hidden[floor][tuple(positions[slot])]:
            continue
        if mask[slot]:  # a creature nobody sees: elsewhere, but there, for the boss hides behind the living
            positions[slot] = there[rng.integers(len(there))]
        else:
            positions[slot] = rng.integers(spec.map_size[0], size=2)
        if headings:
            getattr(state, headings)[floor][slot] = OFFSETS[rng.integers(1, 5)]
        if spec.key == "full":
            mobs.type_id[floor][slot] = rng.integers(3)
    if spec.key == "full":
        for other in range(len(spec.floors)):
            if other != floor:
                mobs.mask[other] = rng.random(mobs.mask[other].shape) < 0.5
                mobs.position[other] = rng.integers(spec.map_size[0], size=mobs.position[other].shape)
