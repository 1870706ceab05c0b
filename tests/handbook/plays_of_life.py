"""Plays of the rules on staying alive."""

from __future__ import annotations

from typing import Any

from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.utils.words import listed
from tests.availability.arena import arena, block_at, set_block
from tests.availability.cases import held_blocks
from tests.handbook.stage import AHEAD, Fact, Fields, Run, lost, play, plays, with_mob, with_shot, worlds


@plays("survival.death")
def death(spec: GameSpec) -> Any:
    for points, dies in ((1, True), (2, False)):
        run = Run(spec, arena(spec.key, player_health=points, player_food=0, player_recover=-15)).act("noop")
        assert run.scene.dead == dies
        if dies:
            yield run.scene.health
    if spec.key == "full":
        assert not Run(spec, arena("full", player_health=0.4)).act("noop").scene.dead


@plays("survival.maxima")
def maxima(spec: GameSpec) -> Any:
    if spec.key == "classic":
        for vital, faced in (("drink", "water"), ("food", "ripe_plant")):
            at_most: Fields = {"faced": faced, f"player_{vital}": 9}
            assert int(getattr(play(spec, "do", **at_most), f"player_{vital}")) == 9
        assert play(spec, "noop", player_energy=9, is_sleeping=True, player_fatigue=-10).player_energy == 9
        yield int(play(spec, "noop", player_health=9, player_recover=25).player_health)
        return
    names = ("strength", "dexterity", "intelligence")
    most = []
    for level in (1, 2):
        levels: Fields = {f"player_{name}": level for name in names}
        full: Fields = {f"player_{vital}": 99 for vital in spec.maxima}
        after = play(spec, "noop", **levels, **full)
        most.append({vital: int(getattr(after, f"player_{vital}")) for vital in spec.maxima})
    slopes = {vital: most[1][vital] - most[0][vital] for vital in most[0]}
    bases = {vital: most[0][vital] - slopes[vital] for vital in most[0]}
    assert slopes["health"] == 1
    for vital in ("drink", "energy"):
        assert (bases[vital], slopes[vital]) == (bases["food"], slopes["food"])
    yield from (bases["health"], bases["food"], slopes["food"], bases["mana"], slopes["mana"])
    yield from {int(getattr(worlds("full")[0], f"player_{name}")) for name in names}


def _steps_to_fall(spec: GameSpec, vital: str, counter: str, **fields: Any) -> int:
    before = fields.get(f"player_{vital}", 7)
    run = Run(spec, arena(spec.key, **{f"player_{counter}": 0, **fields}))
    steps = run.until(lambda run: getattr(run.scene, vital) < before, 100)
    assert getattr(run.scene, vital) == before - 1
    return steps


@plays("survival.food")
def food(spec: GameSpec) -> Any:
    yield from (1, _steps_to_fall(spec, "food", "hunger"))
    yield _steps_to_fall(spec, "food", "hunger", is_sleeping=True, player_energy=1)


@plays("survival.drink")
def drink(spec: GameSpec) -> Any:
    yield from (1, _steps_to_fall(spec, "drink", "thirst"))
    yield _steps_to_fall(spec, "drink", "thirst", is_sleeping=True, player_energy=1)


@plays("survival.energy")
def energy(spec: GameSpec) -> Any:
    yield from (1, _steps_to_fall(spec, "energy", "fatigue"))
    assert play(spec, "noop", is_sleeping=True, player_energy=3, player_fatigue=40).player_energy == 3


@plays("survival.starving")
def starving(spec: GameSpec) -> Any:
    found = [
        _steps_to_fall(spec, "health", "recover", **{f"player_{vital}": 0, "player_health": 7})
        for vital in ("food", "drink", "energy")
    ]
    assert len(set(found)) == 1
    yield from (0, 1, found[0])
    yield _steps_to_fall(spec, "health", "recover", player_food=0, player_health=7, is_sleeping=True, player_energy=1)
    after = play(spec, "noop", player_energy=0, is_sleeping=True, player_recover=0)
    assert after.player_recover > 0
    assert play(spec, "noop", player_food=1, player_drink=1, player_energy=1, player_recover=0).player_recover > 0


@plays("survival.healing")
def healing(spec: GameSpec) -> Any:
    found = []
    asleep: Fields = {"is_sleeping": True, "player_energy": 1}
    for fields in ({}, asleep):
        run = Run(spec, arena(spec.key, player_health=5, player_recover=0, **fields))
        found.append(run.until(lambda run: run.scene.health > 5, 60))
        assert run.scene.health == 6
    assert play(spec, "noop", player_food=0, player_recover=0).player_recover < 0
    yield from (0, 1, *found)


@plays("survival.drinking")
def drinking(spec: GameSpec) -> Any:
    sources = [name for name in held_blocks(spec) if play(spec, "do", faced=name, player_drink=5).player_drink > 5]
    yield f"do on {listed([{'fountain': 'a fountain'}.get(name, name) for name in sources], 'or')} gives"
    yield int(play(spec, "do", faced="water", player_drink=5).player_drink) - 5


@plays("survival.meat")
def meat(spec: GameSpec) -> Any:
    animals = [mob.label for mob in spec.mobs if mob.mob_class == "passive"]
    gains = {
        int(play(spec, "do", state=with_mob(spec, arena(spec.key, player_food=1), name, health=1)).player_food) - 1
        for name in animals
    }
    yield f"Killing a {listed(animals, 'or')}"
    yield from gains


@plays("survival.growing")
def growing(spec: GameSpec) -> Any:
    run = Run(spec, arena(spec.key, faced="grass", inventory={"sapling": 1})).act("place_plant", "do")
    assert block_at(spec, run.state, AHEAD) == "plant"
    ripe = spec.block_index["ripe_plant"]
    rows, columns = spec.window
    yield 2 + run.until(lambda run: run.scene.blocks[rows // 2 - 1, columns // 2] == ripe, 700)


@plays("survival.fruit")
def fruit(spec: GameSpec) -> Any:
    state = arena(spec.key, faced="ripe_plant", player_food=3)
    state.growing_plants_positions[0], state.growing_plants_mask[0], state.growing_plants_age[0] = (19, 20), True, 700
    after = play(spec, "do", state=state)
    assert (block_at(spec, after, AHEAD), int(after.growing_plants_age[0])) == ("plant", 1)
    yield int(after.player_food) - 3


@plays("survival.orchard")
def orchard(spec: GameSpec) -> Any:
    ripening = 0
    for planted in range(13):
        state = arena(spec.key, faced="grass", inventory={"sapling": 1})
        state.growing_plants_mask[:planted] = True
        after = play(spec, "place_plant", state=state)
        assert block_at(spec, after, AHEAD) == "plant"
        ripening += int(after.growing_plants_mask.sum()) > int(state.growing_plants_mask.sum())
    yield ripening


@plays("survival.sleep")
def sleep(spec: GameSpec) -> Any:
    top = spec.maxima["energy"][0] + spec.maxima["energy"][2]
    assert not play(spec, "sleep", player_energy=top).is_sleeping
    asleep = Run(spec, arena(spec.key, player_energy=top - 1)).act("sleep")
    assert asleep.scene.sleeping
    assert asleep.act("left").state.player_position.tolist() == [20, 20]
    assert spec.actions[asleep.scene.executed_action] == "noop"
    return []


@plays("survival.sleeping")
def sleeping(spec: GameSpec) -> Any:
    run = Run(spec, arena(spec.key, is_sleeping=True, player_energy=3, player_fatigue=0))
    steps = run.until(lambda run: run.scene.energy > 3, 30)
    yield from (run.scene.energy - 3, steps)


@plays("survival.waking")
def waking(spec: GameSpec) -> Any:
    run = Run(spec, arena(spec.key, is_sleeping=True, player_energy=8, player_fatigue=-10)).act("noop", "noop")
    assert not run.scene.sleeping
    asleep: Fields = {"is_sleeping": True, "player_energy": 1}
    assert not play(spec, "noop", state=with_mob(spec, arena(spec.key, **asleep), "zombie")).is_sleeping
    assert not play(spec, "noop", state=with_shot(spec, arena(spec.key, **asleep), (1, 0), AHEAD)).is_sleeping
    run = Run(spec, arena(spec.key, timestep=270, **asleep)).act("noop", times=60)
    assert run.scene.sleeping
    assert run.scene.daylight > 0.9
    return []


@plays("survival.helpless")
def helpless(spec: GameSpec) -> Any:
    blows, shots = [], []
    for asleep in (False, True):
        fields: Fields = {"is_sleeping": asleep, "player_energy": 1}
        blows.append(lost(spec, with_mob(spec, arena(spec.key, **fields), "zombie")))
        shots.append(lost(spec, with_shot(spec, arena(spec.key, **fields), (1, 0), AHEAD)))
    assert shots[0] == shots[1] > 0
    yield blows[1] / blows[0]


@plays("survival.shelter")
def shelter(spec: GameSpec) -> Any:
    walls = len(OFFSETS[1:])
    for missing in (0, 1):
        state = arena(spec.key, is_sleeping=True, player_energy=0, player_fatigue=0)
        for side in OFFSETS[1 + missing :]:
            set_block(spec, state, side, "stone")
        for slot, offset in enumerate(((0, -2), (2, 0), (-2, -1))):
            with_mob(spec, state, "zombie", offset, slot=slot)
        with_mob(spec, state, "skeleton", (0, -4))
        run = Run(spec, state)
        before, hurt = run.scene.health, False
        for _ in range(80):
            now = run.act("noop").scene.health
            before, hurt = now, hurt or now < before
        assert hurt == bool(missing)
    yield walls


@plays("survival.rest", games=("full",))
def rest(spec: GameSpec) -> Any:
    for points, food, drink, rests in ((8, 1, 1, True), (9, 1, 1, False), (8, 0, 1, False), (8, 1, 0, False)):
        fields: Fields = {"player_health": points, "player_food": food, "player_drink": drink}
        run = Run(spec, arena("full", **fields)).act("rest")
        assert run.scene.resting == rests
        if rests:
            assert run.act("left").state.player_position.tolist() == [20, 20]
    yield from (0, 0)  # at 1 it starts, at 0 it does not
    for vital, value in (("health", 9), ("food", 0), ("drink", 0)):
        ended: Fields = {"player_health": 5, f"player_{vital}": value}
        assert not Run(spec, arena("full", is_resting=True, **ended)).act("noop").scene.resting
    resting = arena("full", is_resting=True, player_health=5)
    assert not play(spec, "noop", state=with_mob(spec, resting, "zombie")).is_resting


@plays("survival.resting", games=("full",))
def resting(spec: GameSpec) -> list[Fact]:
    states = [arena("full", player_health=5, player_recover=0, is_resting=rests) for rests in (False, True)]
    steps = [Run(spec, state).until(lambda run: run.scene.health > 5, 60) for state in states]
    assert steps[0] == steps[1]
    return []
