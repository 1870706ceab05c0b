"""What is said of the last action is true, and no change goes unsaid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
import pytest

from craftax_text_gym.availability import feedback
from craftax_text_gym.availability.reasons import action_mask
from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.utils.words import number
from tests import proof
from tests.worlds import GAMES, edited_states, floor_of, mark_mobs, played_states, scene_of, to_numpy

SEED = 11


@dataclass
class Step:
    """A step, with the states around it, and what noop would have made of it."""

    before: Any
    action: str
    after: Any
    idle: Any
    seen: Scene
    told: list[str]

    @property
    def text(self) -> str:
        return " ".join(self.told)


def take(engine: Engine, state: Any, action: str) -> Step:
    """Play one step from a state, and the same step with noop."""
    spec, params = engine.spec, engine.params({})
    index = spec.action_index[action]
    before = scene_of(engine, state)
    game, buffer = engine.step(engine.from_state(state), index, SEED, params)
    revives = spec.key == "classic" and action == "do" and not state.is_sleeping
    waiting = revived(state) if revives else state
    idle, _ = engine.step(engine.from_state(waiting), 0, SEED, params)
    after = Scene(spec, engine.to_bytes(buffer))
    told = feedback.sentences(before, index, after)
    return Step(state, action, to_numpy(engine.to_state(game)), to_numpy(engine.to_state(idle)), after, told)


def revived(state: Any) -> Any:
    """The state after what Classic's `do` does to creatures that have wandered off: the engine's own exception."""
    groups = {name: getattr(state, name) for name in ("zombies", "cows", "skeletons")}
    return state.replace(**{name: mobs.replace(mask=mobs.health > 0) for name, mobs in groups.items()})


def steps(key: str, count: int) -> Iterator[Step]:
    """Half of them one step from an edited state, half of them played on and on."""
    engine = get_engine(key)
    rng = np.random.default_rng(1)
    state = to_numpy(played_states(key)[0])
    for number_, edited in enumerate(edited_states(key, count // 2, seed=9)):
        for name in ("out_of_bounds", *(("necromancer_vulnerable",) if key == "full" else ())):
            edited.map[edited.map == engine.spec.block_index[name]] = engine.spec.block_index["path"]  # in no map
        if key == "full":  # nor is mana ever above its maximum
            edited = edited.replace(player_mana=min(edited.player_mana, np.int32(6 + 3 * edited.player_intelligence)))
        action = str(rng.choice(engine.spec.actions))
        if not scene_of(engine, edited).dead:
            yield take(engine, edited, action)
        mask = action_mask(engine.spec, scene_of(engine, state).rows)[0]
        options = np.flatnonzero(mask) if rng.random() < 0.7 else range(len(mask))
        step = take(engine, state, engine.spec.actions[int(rng.choice(options))])
        yield step
        state = step.after
        if step.seen.dead or number_ % 200 == 199:
            state = to_numpy(played_states(key)[number_ % len(played_states(key))])


def assert_nothing_unsaid(step: Step) -> None:
    """Every change of belongings, vitals, attributes, floor, sleep and achievements has its sentence."""
    before, after, text = step.before, step.after, step.text
    spec = step.seen.spec
    for name in spec.materials:
        was, now = int(getattr(before.inventory, name)), int(getattr(after.inventory, name))
        if was != now:
            label = spec.tools[name][now] if name in spec.tools else name.replace("_", " ")
            assert f"You now have {'an' if label[0] == 'i' else 'a'} {label}." in text or re.search(
                rf"(Gained|Lost) {abs(now - was)} {label} \(now {now}\)\.", text
            ), (name, was, now, text)
    vitals = ("health", "food", "drink", "energy", *(("mana",) if spec.key == "full" else ()))
    for vital in vitals:
        old, new = (float(getattr(state, f"player_{vital}")) for state in (before, after))
        if old != new:
            words = rf"{'Gained' if new > old else 'Lost'} [\d.]+ {vital} \(now {re.escape(number(new))}\)\."
            assert re.search(words, text), (vital, old, new, text)
    gained = np.flatnonzero(after.achievements & ~before.achievements)
    assert re.findall(r"New achievement: ([^.]+)\.", text) == [spec.achievements[i].label for i in gained]
    assert ("Fell asleep." in text) == (bool(after.is_sleeping) and not before.is_sleeping)
    assert ("Woke up." in text) == (bool(before.is_sleeping) and not after.is_sleeping)
    assert ("You died." in text) == step.seen.dead
    if spec.key == "full":
        assert_nothing_unsaid_in_full(step)


def assert_nothing_unsaid_in_full(step: Step) -> None:
    before, after, text, spec = step.before, step.after, step.text, step.seen.spec
    for index, colour in enumerate(spec.potions):
        was, now = int(before.inventory.potions[index]), int(after.inventory.potions[index])
        assert was == now or f"{abs(now - was)} {colour} potion (now {now})." in text
    for name, field in (("experience", "xp"), *((name, name) for name in ("dexterity", "strength", "intelligence"))):
        was, now = (int(getattr(state, f"player_{field}")) for state in (before, after))
        assert was == now or f"{abs(now - was)} {name} (now {now})." in text
    for index, piece in enumerate(spec.armour):
        now = int(after.inventory.armour[index])
        assert now == before.inventory.armour[index] or f"You now wear {spec.armour_tiers[now]} {piece}." in text
        enchanted = int(after.armour_enchantments[index])
        words = f"Your {piece} is enchanted with {spec.enchantments[enchanted]}."
        assert (words in text) == (enchanted != before.armour_enchantments[index])
    for index, spell in enumerate(spec.spells):
        learned = bool(after.learned_spells[index]) and not before.learned_spells[index]
        assert (f"You have learned {spell}." in text) == learned
    if before.player_level != after.player_level:
        assert f"floor {after.player_level}, the {spec.floors[after.player_level].label}." in text
    assert ("Began to rest." in text) == (bool(after.is_resting) and not before.is_resting)
    assert ("Stopped resting." in text) == (bool(before.is_resting) and not after.is_resting)


def assert_true(step: Step) -> None:
    """What is said of the action itself is so."""
    text, spec = step.text, step.seen.spec
    moved = tuple(int(x) for x in step.after.player_position - step.before.player_position)
    if "did nothing" in text or "was not carried out" in text:
        assert differences(step.after, step.idle) == [], text
    if step.action in DIRECTIONS[1:] and not (step.before.is_sleeping or getattr(step.before, "is_resting", False)):
        offset = OFFSETS[DIRECTIONS.index(step.action)]
        if f"Moved {step.action}." in text:
            assert moved == offset, text
        elif not text.startswith("Faced"):
            assert moved == (0, 0), text
    floor = floor_of(spec, step.before)
    row, column = step.before.player_position + np.array(OFFSETS[int(step.before.player_direction)])
    if match := re.search(r"(?:Took|Destroyed) the ([^.]+)\.|Opened the (chest)\.", text):
        label = match[1] or match[2]
        assert spec.blocks[step.before.map[floor][row, column]].label == label
        assert step.after.map[floor][row, column] != step.before.map[floor][row, column]
    if match := re.search(r"Placed ([^.]+)\.", text):
        became = {"sapling": "plant"}.get(match[1], match[1])
        if became == "torch":
            assert step.after.item_map[floor][row, column] == 1
        else:
            assert spec.blocks[step.after.map[floor][row, column]].label in (became, "path")  # or an arrow hit it
    if "Shot an arrow." in text:
        assert step.after.inventory.arrows == step.before.inventory.arrows - 1
    if re.search(r"Cast an? \w+ball\.", text):
        assert step.after.player_mana <= step.before.player_mana - 2 + 1


def differences(left: Any, right: Any) -> list[str]:
    """The leaves in which two states differ, the random key aside."""
    pairs = zip(jax.tree.leaves_with_path(left), jax.tree.leaves(right), strict=True)
    names = [jax.tree_util.keystr(path) for (path, a), b in pairs if not np.array_equal(a, b)]
    return [name for name in names if "state_rng" not in name]


@pytest.mark.parametrize("key", GAMES)
def test_every_sentence_is_true_and_no_change_goes_unsaid(key: str) -> None:
    said: set[str] = set()
    for step in steps(key, proof.count(10_000, 250)):
        assert_nothing_unsaid(step)
        assert_true(step)
        said |= {re.sub(r"[\d.]+", "#", sentence) for sentence in step.told}
    assert len(said) > 40


# Each kind of event, provoked


def scenario(key: str, **changes: Any) -> tuple[Engine, Any]:
    """A quiet meadow: the player looks up, nobody is near, all is well."""
    engine = get_engine(key)
    state = to_numpy(played_states(key)[0]).replace(player_direction=np.int32(3), **changes)
    floor, (row, column) = floor_of(engine.spec, state), state.player_position
    state.map[floor][row - 6 : row + 7, column - 6 : column + 7] = engine.spec.block_index["grass"]
    return engine, state


def face(engine: Engine, state: Any, block: str) -> None:
    floor, (row, column) = floor_of(engine.spec, state), state.player_position
    state.map[floor][row - 1, column] = engine.spec.block_index[block]


def carry(state: Any, **amounts: int) -> Any:
    return state.replace(inventory=state.inventory.replace(**{name: np.int32(n) for name, n in amounts.items()}))


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("direction", DIRECTIONS[1:])
def test_moving_turning_and_bumping(key: str, direction: str) -> None:
    engine, state = scenario(key)
    assert take(engine, state, direction).told == [f"Moved {direction}."]
    floor, step = floor_of(engine.spec, state), OFFSETS[DIRECTIONS.index(direction)]
    row, column = state.player_position + np.array(step)
    state.map[floor][row, column] = engine.spec.block_index["stone"]
    facing = state.replace(player_direction=np.int32(DIRECTIONS.index(direction)))
    assert take(engine, facing, direction).told == [f"{direction} did nothing: stone is in the way."]
    away = state.replace(player_direction=np.int32(DIRECTIONS.index(direction) % 4 + 1))
    assert take(engine, away, direction).told == [f"Turned {direction}: stone is in the way."]


@pytest.mark.parametrize("key", GAMES)
def test_taking_and_failing_to_take(key: str) -> None:
    engine, state = scenario(key)
    face(engine, state, "tree")
    told = take(engine, state, "do").told
    assert told == ["Took the tree.", "Gained 1 wood (now 1).", "New achievement: collect wood."]
    face(engine, state, "iron")
    tool = "an iron" if key == "full" else ""
    assert take(engine, state, "do").text.startswith("do did nothing: iron needs a stone pickaxe"), tool
    face(engine, state, "water")
    thirsty = state.replace(player_drink=np.int32(4))
    told = take(engine, thirsty, "do").told
    assert told == ["Drank water.", "Gained 1 drink (now 5).", "New achievement: collect drink."]
    face(engine, state, "ripe_plant")
    assert take(engine, state.replace(player_food=np.int32(2)), "do").told[:2] == [
        "Ate the ripe plant.",
        "Gained 4 food (now 6).",
    ]
    face(engine, state, "grass")
    assert take(engine, state, "do").told[0] in (
        "Found no sapling in the grass this time.",
        "Found a sapling in the grass.",
    )


@pytest.mark.parametrize("key", GAMES)
def test_placing_and_crafting(key: str) -> None:
    engine, state = scenario(key)
    told = take(engine, carry(state, wood=3), "place_table").told
    assert told[:2] == ["Placed crafting table.", "Lost 2 wood (now 1)."]
    assert "New achievement: place table." in told
    assert (
        take(engine, carry(state, wood=1), "place_table").told[0]
        == "place_table did nothing: needs 2 wood: you have 1."
    )
    face(engine, state, "crafting_table")
    told = take(engine, carry(state, wood=1), "make_wood_pickaxe").told
    made = "You now have a wood pickaxe." if key == "full" else "Gained 1 wood pickaxe (now 1)."
    assert {"Lost 1 wood (now 0).", made, "New achievement: make wood pickaxe."} <= set(told)


@pytest.mark.parametrize("key", GAMES)
def test_sleeping_and_waking(key: str) -> None:
    engine, state = scenario(key, player_energy=np.int32(3))
    assert take(engine, state, "sleep").told == ["Fell asleep."]
    asleep = state.replace(is_sleeping=np.bool_(True))
    assert take(engine, asleep, "left").told == ["You were asleep: left was not carried out."]
    assert take(engine, asleep, "noop").told == []
    rested = asleep.replace(player_energy=np.int32(9))
    assert take(engine, rested, "noop").told == ["Woke up.", "New achievement: wake up."]
    assert take(engine, state.replace(player_energy=np.int32(9)), "sleep").text.startswith(
        "sleep did nothing: you are not"
    )
    assert take(engine, state, "noop").told == ["Waited."]


def with_mob(engine: Engine, state: Any, field: str, kind: int = 0, health: float = 1.0) -> Any:
    """A creature on the faced tile."""
    floor, (row, column) = floor_of(engine.spec, state), state.player_position
    mobs = getattr(state, field)
    mobs.position[floor][0], mobs.mask[floor][0], mobs.health[floor][0] = (row - 1, column), True, health
    mobs.attack_cooldown[floor][0] = 9
    if engine.spec.key == "full":
        mobs.type_id[floor][0] = kind
    mark_mobs(engine.spec, state)
    return state


@pytest.mark.parametrize("key", GAMES)
def test_striking_and_eating(key: str) -> None:
    zombies, cows = ("zombies", "cows") if key == "classic" else ("melee_mobs", "passive_mobs")
    engine, state = scenario(key)
    told = take(engine, with_mob(engine, state, zombies), "do").told
    assert told == ["Struck the zombie.", "New achievement: defeat zombie."]
    engine, state = scenario(key, player_food=np.int32(1))
    told = take(engine, with_mob(engine, state, cows), "do").told
    assert told == ["Ate the cow.", "Gained 6 food (now 7).", "New achievement: eat cow."]
    engine, state = scenario(key)
    assert take(engine, with_mob(engine, state, cows, health=3), "do").told == ["Struck the cow."]
    facing = with_mob(engine, scenario(key)[1], cows, health=3)
    assert take(engine, facing, "up").told == ["up did nothing: a cow is in the way."]


@pytest.mark.parametrize("key", GAMES)
def test_harm_and_death(key: str) -> None:
    engine, state = scenario(key, player_recover=np.float32(-15.5), player_food=np.int32(0))
    told = take(engine, state, "noop").told
    assert told[:2] == ["Waited.", "Lost 1 health (now 8)."]
    dying = state.replace(player_health=np.asarray(1, state.player_health.dtype))
    assert take(engine, dying, "noop").told[-2:] == ["Lost 1 health (now 0).", "You died."]


def test_lava_kills_in_classic_and_blocks_in_the_full_game() -> None:
    engine, state = scenario("classic")
    face(engine, state, "lava")
    assert take(engine, state, "up").told[-1] == "You died."
    engine, state = scenario("full")
    face(engine, state, "lava")
    assert take(engine, state, "up").told == ["up did nothing: lava is in the way."]


def test_floors_ladders_and_levels() -> None:
    engine, state = scenario("full")
    row, column = state.player_position
    assert take(engine, state, "descend").told == ["descend did nothing: you are not on a ladder down."]
    state.item_map[0][row, column] = 2
    told = take(engine, state, "descend").told
    assert told == [
        "Gained 1 experience (now 1).",
        "Descended to floor 1, the dungeon.",
        "New achievement: enter dungeon.",
    ]
    lower = take(engine, state, "descend").after
    assert take(engine, lower, "ascend").text == "Climbed to floor 0, the overworld."
    told = take(engine, lower, "level_up_strength").told
    assert told[:2] == ["Lost 1 experience (now 0).", "Gained 1 strength (now 2)."]
    state.item_map[0][row, column] = 0
    with_mob(engine, state, "melee_mobs")
    state.monsters_killed[0] = 7
    assert "The ladder down has opened." in take(engine, state, "do").told


def test_magic_potions_books_and_shots() -> None:
    engine, state = scenario("full")
    state.inventory.potions[2] = 2
    state.potion_mapping[:] = [0, 1, 3, 2, 4, 5]
    told = take(engine, state, "drink_potion_blue").told
    assert told == ["Lost 1 blue potion (now 1).", "Lost 3 mana (now 6).", "New achievement: drink potion."]
    told = take(engine, carry(state, books=1), "read_book").told
    assert told[0] == "Lost 1 books (now 0)."
    assert told[1] in ("You have learned fireball.", "You have learned iceball.")
    state.learned_spells[:] = True
    assert take(engine, state, "cast_iceball").told[:2] == ["Cast an iceball.", "Lost 2 mana (now 7)."]
    told = take(engine, carry(state, bow=1, arrows=2), "shoot_arrow").told
    assert told[:2] == ["Shot an arrow.", "Lost 1 arrows (now 1)."]
    face(engine, state, "enchantment_table_fire")
    told = take(engine, carry(state, ruby=1, sword=1), "enchant_sword").told
    assert {"Lost 1 ruby (now 0).", "Your sword is enchanted with fire.", "Lost 9 mana (now 0)."} <= set(told)


def test_chests_armour_and_rest() -> None:
    engine, state = scenario("full")
    face(engine, state, "chest")
    assert take(engine, state, "do").told[0] == "Opened the chest."
    face(engine, state, "crafting_table")
    row, column = state.player_position
    state.map[0][row - 1, column + 1] = engine.spec.block_index["furnace"]
    told = take(engine, carry(state, iron=3, coal=3), "make_iron_armour").told
    assert {"Lost 3 iron (now 0).", "Lost 3 coal (now 0).", "You now wear iron helmet."} <= set(told)
    assert take(engine, state.replace(player_health=np.float32(5)), "rest").told == ["Began to rest."]
    resting = state.replace(player_health=np.float32(5), is_resting=np.bool_(True))
    assert take(engine, resting, "left").told == ["You were resting: left was not carried out."]
    assert take(engine, resting.replace(player_food=np.int32(0)), "noop").told[-1] == "Stopped resting."
    assert take(engine, state, "rest").told == ["rest did nothing: your health is full."]


def test_the_boss() -> None:
    engine, state = scenario("full")
    state = state.replace(player_level=np.int32(8), boss_timesteps_to_spawn_this_round=np.int32(0))
    row, column = state.player_position
    state.map[8][row - 1, column] = engine.spec.block_index["necromancer"]
    state.light_map[8][row - 3 : row + 4, column - 3 : column + 4] = 1.0
    told = take(engine, state, "do").told
    assert told[0] == "Hurt the necromancer."
    assert "The necromancer is now invulnerable." in told
    told = take(engine, state.replace(boss_progress=np.int32(7)), "do").told
    assert told[-1] == "You have defeated the necromancer and won."


def test_in_the_dark_nothing_is_claimed_that_cannot_be_seen() -> None:
    engine, state = scenario("full")
    state.light_map[0][:] = 0.0
    face(engine, state, "stone")
    text = take(engine, state, "up").text
    assert text == "Faced up; what lies there cannot be seen, nor whether you moved."
    assert take(engine, state, "do").text == "do had no effect that can be seen."
    row, column = state.player_position
    state.light_map[0][row + 2, column] = 1.0
    assert take(engine, state, "up").text == "Turned up: something unseen is in the way."
    face(engine, state, "grass")
    assert take(engine, state, "up").text == "Moved up."
    face(engine, state, "wall")
    text = take(engine, carry(state, stone=1), "place_stone").told[0]
    assert text == "place_stone had no effect: what you face cannot be seen."


def test_a_spell_that_shots_out_of_view_prevent_is_not_claimed() -> None:
    engine, state = scenario("full")
    state.learned_spells[:] = True
    shots = state.player_projectiles
    shots.mask[0][:], shots.position[0][:] = True, (40, 40)
    state.player_projectile_directions[0][:] = (0, 1)
    armed = carry(state, bow=1, arrows=2)
    assert take(engine, armed, "cast_fireball").told[0] == "cast_fireball had no effect that can be seen."
    assert take(engine, armed, "shoot_arrow").told[0] == "shoot_arrow had no effect that can be seen."
    shots.mask[0][:] = False
    assert take(engine, armed, "shoot_arrow").told[0] == "Shot an arrow."
