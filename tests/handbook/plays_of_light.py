"""Plays of the rules on day, night, darkness and torches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from craftax_text_gym.games.spec import GameSpec
from tests.availability.arena import arena, owned
from tests.handbook.stage import (
    Fact,
    Run,
    play,
    plays,
    with_mob,
    worlds,
)
from tests.worlds import scene_of


@plays("light.day")
def day(spec: GameSpec) -> Any:
    run = Run(spec, arena(spec.key, timestep=0, player_food=9))
    light = [float(worlds(spec.key)[0].light_level), *[run.act("noop").scene.daylight for _ in range(320)]]
    length = next(step for step in range(250, 320) if np.allclose(light[step:321], light[: 321 - step], atol=1e-6))
    dark = [step for step in range(length) if light[step] < 0.5]
    yield from (length, int(np.argmax(light[:length])), int(np.argmin(light[:length])), 50, dark[0], dark[-1])
    assert len(dark) == dark[-1] - dark[0] + 1


@plays("light.night")
def night_view(spec: GameSpec) -> list[Fact]:
    scenes = []
    for light in (0, 1):
        state = with_mob(spec, arena(spec.key, faced="tree", light_level=light), "cow", (3, 2))
        scenes.append(scene_of(Run(spec, state).engine, state))
    assert (scenes[0].blocks == scenes[1].blocks).all()
    assert scenes[0].things == scenes[1].things
    return []


@plays("light.dark", games=("full",))
def dark(spec: GameSpec) -> Any:
    lit = np.mean([world.light_map > 0.05 for world in worlds("full")], axis=(0, 2, 3))
    floors = [number for number in range(len(spec.floors)) if lit[number] < 0.5]
    yield from floors
    arrivals: list[bool] = []
    for world in worlds("full"):
        for floor in floors:
            arrivals.append(world.light_map[floor][tuple(world.up_ladders[floor])] > 0.05)
            assert (world.light_map[floor][world.map[floor] == spec.block_index["lava"]] > 0.05).all()
    assert 0.7 < np.mean(arrivals) < 1
    state = with_mob(spec, arena("full", floor=2, faced_item=1), "bat")
    assert scene_of(Run(spec, state).engine, state).faced.things
    state.light_map[2][19, 20] = 0
    faced = scene_of(Run(spec, state).engine, state).faced
    assert (faced.block, faced.item, faced.things) == (None, None, ())


@plays("light.torch", games=("full",))
def torch(spec: GameSpec) -> Any:
    state = arena("full", floor=2, inventory={"torches": 1})
    state.light_map[2][...] = 0
    lit = np.argwhere(play(spec, "place_torch", state=state).light_map[2] > 0.05) - (19, 20)
    reach = max(math.hypot(*tile) for tile in lit)
    around = {(row, column) for row in range(-9, 10) for column in range(-9, 10) if math.hypot(row, column) <= reach}
    assert around == {tuple(tile) for tile in lit.tolist()}
    yield math.floor(100 * reach) / 100


@plays("light.lasting", games=("full",))
def lasting(spec: GameSpec) -> list[Fact]:
    state = arena("full", floor=2, inventory={"torches": 1})
    state.light_map[2][...] = 0
    run = Run(spec, state).act("place_torch")
    before = run.state
    after = run.act("do", times=60).state
    assert (owned(after, "torches"), after.item_map[2][19, 20]) == (0, 1)
    assert (after.light_map[2] == before.light_map[2]).all()
    return []
