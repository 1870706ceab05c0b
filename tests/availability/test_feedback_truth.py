"""Each sentence is true of the engine's states, and no change goes unsaid: in edited states, in play, in hunts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.utils.words import number
from tests import proof
from tests.availability import claims
from tests.availability.stepping import Step, take
from tests.worlds import GAMES, edited_states, played_states, scene_of, to_numpy

_ARMS = {"sword": 3, "bow": 1, "arrows": 60}


def edited_steps(key: str, count: int) -> Iterator[Step]:
    """One step from each of many states that hold anything."""
    engine, rng = get_engine(key), np.random.default_rng(1)
    for edited in edited_states(key, count, seed=9):
        for name in ("out_of_bounds", *(("necromancer_vulnerable",) if key == "full" else ())):
            edited.map[edited.map == engine.spec.block_index[name]] = engine.spec.block_index["path"]  # in no map
        state = edited
        if key == "full":  # nor is mana ever above its maximum
            state = state.replace(player_mana=min(state.player_mana, np.int32(6 + 3 * state.player_intelligence)))
        if not scene_of(engine, state).dead:
            yield take(engine, state, str(rng.choice(engine.spec.actions)))


def played_steps(key: str, count: int) -> Iterator[Step]:
    """Played on and on, mostly what can be done; half of the time after creatures."""
    engine, rng = get_engine(key), np.random.default_rng(2)
    bases, state = played_states(key), None
    for played in range(count):
        if state is None or played % 200 == 0:
            state = armed(engine, to_numpy(bases[played // 200 % len(bases)]))
        scene = scene_of(engine, state)
        step = take(engine, state, choice(scene, rng), seed=played)
        yield step
        state = None if step.seen.dead else step.after


def armed(engine: Engine, state: Any) -> Any:
    """The state, the full game's player ready to fight."""
    if engine.spec.key == "classic":
        return state
    inventory = state.inventory.replace(**{name: np.int32(value) for name, value in _ARMS.items()})
    return state.replace(inventory=inventory, learned_spells=np.ones(2, bool), player_mana=np.int32(9))


def choice(scene: Scene, rng: np.random.Generator) -> str:
    """An action: towards a creature and at it, or any that can be done, or any."""
    spec = scene.spec
    mobs = sorted([(abs(seen.down) + abs(seen.right), seen.down, seen.right) for seen in scene.things if seen.mob])
    if mobs and rng.random() < 0.6:
        _, down, right = mobs[0]
        if (down, right) == scene.ahead:
            return "do"
        aligned = down == 0 or right == 0
        if spec.key == "full" and aligned and rng.random() < 0.3:
            return str(rng.choice(["shoot_arrow", "cast_fireball", "cast_iceball"]))
        vertical = abs(down) > abs(right)
        return ("up" if down < 0 else "down") if vertical else ("left" if right < 0 else "right")
    mask = scene.action_mask
    options = np.flatnonzero(mask) if rng.random() < 0.8 else np.arange(len(mask))
    return spec.actions[int(rng.choice(options))]


def assert_nothing_unsaid(step: Step) -> None:
    """Every change of belongings, vitals, attributes, floor, sleep and achievements has its sentence."""
    earlier, seen, text = step.earlier, step.seen, step.text
    names = [*seen.spec.materials, *seen.spec.potions, *seen.spec.armour, *seen.spec.maxima]
    for name, was, now in zip(names, _numbers(earlier), _numbers(seen), strict=True):
        assert was == now or _tells(step, name, now), (name, was, now, text)
    gained = [
        seen.spec.achievements[i].label for i in np.flatnonzero(step.after.achievements & ~step.before.achievements)
    ]
    assert re.findall(r"New achievement: ([^.]+)\.", text) == gained
    assert earlier.sleeping == seen.sleeping or ("Woke up." if earlier.sleeping else "Fell asleep.") in step.told
    assert earlier.resting == seen.resting or ("Stopped resting." if earlier.resting else "Began to rest.") in step.told
    assert ("You died." in step.told) == (seen.dead and not earlier.dead)
    assert earlier.floor == seen.floor or f"to floor {seen.floor}, " in text
    assert len(step.told) == len(set(step.told))
    for index, (was, now) in enumerate(zip(earlier.attributes, seen.attributes, strict=True)):
        name = ("experience", "dexterity", "strength", "intelligence")[index]
        assert was == now or f" {name} (now {now})." in text
    for spell in set(seen.spells) - set(earlier.spells):
        assert f"You have learned {spell}." in step.told
    old, new = (scene.weapon_enchantments + scene.armour_enchantments for scene in (earlier, seen))
    assert old == new or "enchanted with" in text


def _numbers(scene: Scene) -> list[float]:
    return [*scene.numbers("materials"), *scene.numbers("potions"), *scene.armour, *scene.vitals]


def _tells(step: Step, name: str, now: float) -> bool:
    spec = step.seen.spec
    if name in spec.tools:
        return any(line.endswith(f" {spec.tools[name][int(now)]}.") for line in step.told)
    if name in spec.armour:
        return any(line.startswith("You now wear ") and line.endswith(f" {name}.") for line in step.told)
    stem = {"torches": "torch", "ruby": "rub"}.get(name, name.removesuffix("s").replace("_", " "))
    ends = (f"(now {number(now)}).", f"({number(now)} left).")
    made = [line for line in step.told if line.startswith("Made a ") and now == 1]
    return any(stem in line for line in [*made, *(line for line in step.told if line.endswith(ends))])


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("steps", [edited_steps, played_steps])
def test_every_sentence_is_true_and_no_change_goes_unsaid(key: str, steps: Any) -> None:
    said: Counter[str] = Counter()
    for step in steps(key, proof.count(3_000, 120)):
        assert step.told
        said.update(claims.check(step))
        assert_nothing_unsaid(step)
    print(key, steps.__name__, dict(said))
    assert len(said) >= 10
