"""What is said of changes: sleep and rest, harm and death, numbers, floors, magic and the last fight."""

from __future__ import annotations

import numpy as np
import pytest

from craftax_text_gym.engine.core import get_engine
from tests.availability.arena import arena
from tests.availability.stepping import carry, darken, face, meadow, take, with_mob, with_shot
from tests.worlds import GAMES, played_states, to_numpy


@pytest.mark.parametrize("key", GAMES)
def test_sleeping_and_waking(key: str) -> None:
    engine, state = meadow(key, player_energy=np.int32(3))
    assert take(engine, state, "sleep").told == ["Fell asleep."]
    asleep = state.replace(is_sleeping=np.bool_(True))
    assert take(engine, asleep, "left").told == ["You were asleep: left was not carried out."]
    assert take(engine, asleep, "noop").told == ["You are asleep."]
    rested = asleep.replace(player_energy=np.int32(9))
    assert take(engine, rested, "noop").told == ["Woke up.", "New achievement: wake up."]
    told = take(engine, state.replace(player_energy=np.int32(9)), "sleep").told
    assert told == ["sleep did nothing: you are not tired: your energy is full."]
    assert take(engine, state, "noop").told == ["Waited."]


def test_resting() -> None:
    engine, state = meadow("full")
    assert take(engine, state.replace(player_health=np.float32(5)), "rest").told == ["Began to rest."]
    resting = state.replace(player_health=np.float32(5), is_resting=np.bool_(True))
    assert take(engine, resting, "left").told == ["You were resting: left was not carried out."]
    assert take(engine, resting, "noop").told == ["You are resting."]
    assert take(engine, resting.replace(player_food=np.int32(0)), "noop").told == ["Stopped resting."]
    assert take(engine, state, "rest").told == ["rest did nothing: your health is full."]


@pytest.mark.parametrize("key", GAMES)
def test_no_step_leaves_nothing_to_say(key: str) -> None:
    """So that the part is missing after a reset alone: each action, awake, asleep and at rest."""
    engine = get_engine(key)
    states = [to_numpy(played_states(key)[0])]
    states.append(states[0].replace(is_sleeping=np.bool_(True)))
    if key == "full":
        states.append(states[0].replace(is_resting=np.bool_(True)))
    for state in states:
        assert all(take(engine, state, action).told for action in engine.spec.actions)


@pytest.mark.parametrize("key", GAMES)
def test_harm_and_death(key: str) -> None:
    engine, state = meadow(key, player_recover=np.float32(-15.5), player_food=np.int32(0))
    told = take(engine, state, "noop").told
    assert told[:2] == ["Waited.", "Lost 1 health (now 8)."]
    dying = state.replace(player_health=np.asarray(1, state.player_health.dtype))
    assert take(engine, dying, "noop").told[-2:] == ["Lost 1 health (now 0).", "You died."]


@pytest.mark.parametrize("action", ["make_wood_pickaxe", "descend", "enchant_sword"])
def test_a_refusal_in_the_step_of_death_is_told(action: str) -> None:
    """What could have been in the dark was not there, and the player starves in the same step."""
    carried = {"wood": 1, "sword": 1, "ruby": 1, "sapphire": 1}
    state = arena("full", kills=8, inventory=carried, player_mana=9, player_health=1, player_food=0)
    starving = darken(state.replace(player_recover=np.float32(-15.5)))
    told = take(get_engine("full"), starving, action).told
    assert told[0] == f"{action} had no effect that can be seen."
    assert told[-1] == "You died."


@pytest.mark.parametrize(
    ("health", "told"),
    [(9.0, "Lost 2 health (now 7)."), (2.0004, "Lost 2 health (now 0.01)."), (8.9996, "Lost 2 health (now 6.99).")],
)
def test_health_is_cut_and_above_zero_never_zero(health: float, told: str) -> None:
    engine, state = meadow("full")
    with_shot(state, "mob", (-1, 0), (1, 0))
    assert take(engine, state.replace(player_health=np.float32(health)), "noop").told[1] == told


def test_no_change_is_told_as_zero() -> None:
    engine, state = meadow("full", player_health=np.float32(8.9995), player_recover=np.float32(25.5))
    assert take(engine, state, "noop").told == ["Waited.", "Gained 0.01 health (now 9)."]


def test_floors_ladders_and_levels() -> None:
    engine, state = meadow("full")
    row, column = state.player_position
    assert take(engine, state, "descend").told == ["descend did nothing: you are not on a ladder down."]
    state.item_map[0][row, column] = 2
    step = take(engine, state, "descend")
    assert step.told == [
        "Gained 1 experience (now 1).",
        "Descended to floor 1, the dungeon.",
        "New achievement: enter dungeon.",
    ]
    assert take(engine, step.after, "ascend").text == "Climbed to floor 0, the overworld."
    told = take(engine, step.after, "level_up_strength").told
    assert told[:2] == ["Lost 1 experience (now 0).", "Gained 1 strength (now 2)."]


@pytest.mark.parametrize(("floor", "opens"), [(1, True), (8, False)])
def test_the_eighth_kill_opens_a_ladder_but_on_the_last_floor(floor: int, opens: bool) -> None:
    engine = get_engine("full")
    state = with_mob(engine, arena("full", floor=floor, kills=7, direction="up"), "melee")
    told = take(engine, state, "do").told
    assert told[0] == "Killed the zombie."
    assert ("The ladder down has opened." in told) == opens
    assert ("ladder" in " ".join(told)) == opens


def test_potions_books_and_enchantments() -> None:
    engine, state = meadow("full")
    state.inventory.potions[2] = 2
    state.potion_mapping[:] = [0, 1, 3, 2, 4, 5]
    told = take(engine, state, "drink_potion_blue").told
    assert told == ["Used 1 blue potion (1 left).", "Lost 3 mana (now 6).", "New achievement: drink potion."]
    told = take(engine, carry(state, books=1), "read_book").told
    assert told[0] == "Used 1 book (0 left)."
    assert told[1] in ("You have learned fireball.", "You have learned iceball.")
    face(engine, state, "enchantment_table_fire")
    told = take(engine, carry(state, ruby=1, sword=1), "enchant_sword").told
    assert {"Used 1 ruby (0 left).", "Your sword is enchanted with fire.", "Lost 9 mana (now 0)."} <= set(told)


def test_the_boss() -> None:
    engine, state = meadow("full")
    state = state.replace(player_level=np.int32(8), boss_timesteps_to_spawn_this_round=np.int32(0))
    row, column = state.player_position
    state.map[8][row - 1, column] = engine.spec.block_index["necromancer"]
    state.light_map[8][row - 3 : row + 4, column - 3 : column + 4] = 1.0
    told = take(engine, state, "do").told
    assert told[0] == "Hurt the necromancer."
    assert "The necromancer is now invulnerable." in told
    told = take(engine, state.replace(boss_progress=np.int32(7)), "do").told
    assert told[-1] == "You have defeated the necromancer and won."
