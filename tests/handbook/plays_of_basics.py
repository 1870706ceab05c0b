"""Plays of the rules on seeing and moving."""

from __future__ import annotations

from typing import Any

import numpy as np

from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.utils.words import listed
from tests.availability.arena import arena, block_at, owned, put_creature, set_block
from tests.availability.cases import held_blocks
from tests.handbook.stage import AHEAD, Fact, Run, health, play, plays, with_mob, with_shot, worlds
from tests.worlds import floor_of, scene_of

_MOVES = ("left", "right", "up", "down")


@plays("basics.start")
def start(spec: GameSpec) -> Any:
    state = worlds(spec.key)[0]
    vitals = {int(getattr(state, f"player_{vital}")) for vital in spec.maxima}
    assert not any(np.any(getattr(state.inventory, name)) for name in state.inventory.__dataclass_fields__)
    assert len(vitals) == 1
    yield f"{vitals.pop()} {listed(spec.maxima)}"


@plays("basics.step")
def step(spec: GameSpec) -> Any:
    state = with_shot(spec, arena(spec.key), (0, 1), (-4, -3))
    after = play(spec, "place_table", state=state)
    assert owned(after, "wood") == 0
    floor = floor_of(spec, state)
    shots = "arrows" if spec.key == "classic" else "mob_projectiles"
    assert getattr(after, shots).position[floor][0].tolist() == [16, 18]
    yield int(after.timestep - state.timestep)


@plays("basics.window")
def window(spec: GameSpec) -> Any:
    seen = []
    for down, right in ((3, 0), (4, 0), (5, 0), (0, 4), (0, 5), (0, 6)):
        state = arena(spec.key)
        put_creature(spec, state, "cows" if spec.key == "classic" else "passive_mobs", (down, right))
        scene = scene_of(Run(spec, state).engine, state)
        if scene.things:
            seen.append((down, right))
    yield from scene.blocks.shape
    yield from (max(down for down, _ in seen), max(right for _, right in seen))


@plays("basics.world")
def world(spec: GameSpec) -> Any:
    last = spec.map_size[0] - 1
    yield from worlds(spec.key)[0].map.shape
    for position, action in (((0, 20), "up"), ((last, 20), "down"), ((20, 0), "left"), ((20, last), "right")):
        state = arena(spec.key, player_position=position)
        state.map[floor_of(spec, state)][...] = spec.block_index["grass"]
        assert play(spec, action, state=state).player_position.tolist() == list(position)


@plays("basics.edge", games=("classic",))
def edge(spec: GameSpec) -> list[Fact]:
    last = spec.map_size[0] - 1
    for position, beyond, action in (((0, 20), (last, 20), "up"), ((20, 0), (20, last), "left")):
        for block, dies in (("lava", True), ("grass", False), ("water", False)):
            state = arena(spec.key, player_position=position)
            state.map[...] = spec.block_index["grass"]
            state.map[beyond] = spec.block_index[block]
            assert Run(spec, state).act(action).scene.dead == dies
    for position, beyond, action in (((last, 20), (0, 20), "down"), ((20, last), (20, 0), "right")):
        state = arena(spec.key, player_position=position)
        state.map[...] = spec.block_index["grass"]
        state.map[beyond] = spec.block_index["lava"]
        assert not Run(spec, state).act(action).scene.dead
    return []


@plays("basics.move", "basics.turn")
def move(spec: GameSpec) -> Any:
    for action in _MOVES:
        offset = OFFSETS[spec.action_index[action]]
        for block, moves in (("grass", True), ("stone", False)):
            state = arena(spec.key, direction="down" if action == "up" else "up")
            set_block(spec, state, offset, block)
            after = play(spec, action, state=state)
            expected = state.player_position + np.array(offset) * moves
            assert after.player_position.tolist() == expected.tolist()
            assert spec.actions[int(after.player_direction)] == action
    return []


@plays("basics.walkable")
def walkable(spec: GameSpec) -> Any:
    walked = []
    unused = {
        name for name in held_blocks(spec) if not any((w.map == spec.block_index[name]).any() for w in worlds(spec.key))
    }
    for name in held_blocks(spec):
        after = play(spec, "up", faced=name)
        if after.player_position[0] == 19 and name not in unused and health(after) > 0:
            walked.append(spec.blocks[spec.block_index[name]].label)
    yield f"You can walk on {listed(walked)}."
    assert play(spec, "up", state=with_mob(spec, arena(spec.key), "cow", hemmed=True)).player_position[0] == 20


@plays("basics.lava")
def lava(spec: GameSpec) -> Any:
    after = play(spec, "up", faced="lava")
    assert (health(after) == 0, after.player_position[0] == 19) == (
        (True, True) if spec.key == "classic" else (False, False)
    )
    assert play(spec, "up", faced="water").player_position[0] == 20
    return []


@plays("basics.front")
def front(spec: GameSpec) -> Any:
    for direction in _MOVES:
        state = arena(spec.key, direction=direction, inventory={"sapling": 1})
        for side in OFFSETS[1:]:
            set_block(spec, state, side, "tree")
        after = play(spec, "do", "place_plant", state=state)
        ahead = OFFSETS[spec.action_index[direction]]
        assert {side: block_at(spec, after, side) for side in OFFSETS[1:]} == {
            side: "plant" if side == ahead else "tree" for side in OFFSETS[1:]
        }
    if spec.key == "full":
        gear = {"sword": 1, "ruby": 1, "bow": 1, "arrows": 1}
        for direction, enchants in (("up", True), ("down", False)):
            state = arena("full", direction=direction, inventory=gear)
            set_block(spec, state, AHEAD, "enchantment_table_fire")
            assert (int(play(spec, "enchant_sword", state=state).sword_enchantment) > 0) == enchants
        flying = play(spec, "shoot_arrow", direction="left", inventory=gear)
        assert flying.player_projectile_directions[0][0].tolist() == [0, -1]
    return []


@plays("basics.noop")
def noop(spec: GameSpec) -> Any:
    state = arena(spec.key, faced="tree")
    after = play(spec, "noop", state=state)
    assert after.timestep == state.timestep + 1
    assert (after.map == state.map).all()
    assert (after.player_position == state.player_position).all()
    return []
