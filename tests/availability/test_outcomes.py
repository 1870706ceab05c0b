"""What is said of using, placing and making, in the light and in the dark."""

from __future__ import annotations

from typing import Any

import pytest

from craftax_text_gym.engine.core import get_engine
from tests.availability.arena import arena, set_block
from tests.availability.stepping import carry, darken, face, meadow, take, with_mob, with_shot
from tests.worlds import GAMES

# Using


@pytest.mark.parametrize("key", GAMES)
def test_taking_and_failing_to_take(key: str) -> None:
    engine, state = meadow(key)
    face(engine, state, "tree")
    told = take(engine, state, "do").told
    assert told == ["Collected 1 wood from the tree (now 1).", "New achievement: collect wood."]
    told = take(engine, carry(state, wood=engine.spec.inventory_cap), "do").told
    assert told[0] == "Removed the tree, but you cannot carry more wood."
    face(engine, state, "stone")
    pickaxe = "pickaxe" if key == "full" else "wood_pickaxe"
    assert take(engine, carry(state, **{pickaxe: 1}), "do").told[0] == "Collected 1 stone (now 1)."
    face(engine, state, "iron")
    assert take(engine, state, "do").text.startswith("do did nothing: iron needs a stone pickaxe")


@pytest.mark.parametrize("key", GAMES)
def test_drinking_and_eating(key: str) -> None:
    engine, state = meadow(key, player_drink=4, player_food=2)
    face(engine, state, "water")
    told = take(engine, state, "do").told
    assert told == ["Drank water.", "Gained 1 drink (now 5).", "New achievement: collect drink."]
    face(engine, state, "ripe_plant")
    assert take(engine, state, "do").told[:2] == ["Ate the ripe plant.", "Gained 4 food (now 6)."]


@pytest.mark.parametrize("key", GAMES)
def test_a_sapling_is_found_in_the_grass_or_not(key: str) -> None:
    engine, state = meadow(key)
    told = {take(engine, state, "do", seed).told[0] for seed in range(30)}
    assert told == {"Found no sapling in the grass this time.", "Collected 1 sapling from the grass (now 1)."}


def test_tables_and_furnaces_are_destroyed_in_the_full_game() -> None:
    engine, state = meadow("full")
    face(engine, state, "furnace")
    assert take(engine, state, "do").told == ["Destroyed the furnace."]


def test_chests_name_what_they_gave() -> None:
    state = arena("full", floor=3, faced="chest", direction="up")
    told = take(get_engine("full"), state, "do").told
    assert told[0] == "Opened the chest."
    assert "Gained 1 book (now 1)." in told


# In the dark

_FINDS: list[tuple[str, dict[str, Any], str]] = [
    ("water", {"player_drink": 3}, "Gained 1 drink (now 4)."),
    ("fountain", {"player_drink": 3}, "Gained 1 drink (now 4)."),
    ("water", {"player_drink": 9}, "New achievement: collect drink."),
    ("ripe_plant", {"player_food": 2}, "Gained 4 food (now 6)."),
    ("tree", {}, "Gained 1 wood (now 1)."),
]


@pytest.mark.parametrize(("block", "changes", "evidence"), _FINDS)
def test_what_is_gained_in_the_dark_shows_that_something_worked(
    block: str, changes: dict[str, Any], evidence: str
) -> None:
    state = darken(arena("full", faced=block, direction="up", **changes), (-1, 0))
    told = take(get_engine("full"), state, "do").told
    assert told[0] == "do worked on what you face in the dark."
    assert evidence in told


@pytest.mark.parametrize(("kind", "name"), [(1, "bat"), (2, "snail")])
@pytest.mark.parametrize("food", [1, 9])
def test_who_is_eaten_in_the_dark_is_named_by_the_achievement_alone(kind: int, name: str, food: int) -> None:
    engine = get_engine("full")
    state = with_mob(engine, arena("full", direction="up", player_food=food), "passive", kind)
    told = take(engine, darken(state, (-1, 0)), "do").told
    assert told[0] == "do worked on what you face in the dark."
    assert told[-1] == f"New achievement: eat {name}."


def test_who_is_killed_in_the_dark_may_have_been_shot() -> None:
    engine = get_engine("full")
    state = darken(with_mob(engine, arena("full", direction="up"), "melee"), (-1, 0))
    assert take(engine, state, "do").told[0] == "do worked on what you face in the dark."
    state.achievements[engine.spec.achievement_keys.index("fire_bow")] = True
    assert take(engine, state, "do").told[0] == "do had no effect that can be seen."


@pytest.mark.parametrize("counter", ["player_recover", "player_recover_mana"])
def test_what_recovers_by_itself_in_the_dark_shows_nothing(counter: str) -> None:
    vitals: dict[str, Any] = {"player_health": 5, "player_mana": 3, counter: 30}
    state = darken(arena("full", faced="stone", direction="up", **vitals), (-1, 0))
    told = take(get_engine("full"), state, "do").told
    assert told[0] == "do had no effect that can be seen."
    assert len(told) == 2


def test_an_unseen_chest_may_give_nothing_but_potions() -> None:
    engine = get_engine("full")
    state = darken(arena("full", floor=5, faced="chest", direction="up", unlocked=("open_chest",)), (-1, 0))
    steps = [take(engine, state, "do", seed) for seed in range(60)]
    alike = [step for step in steps if step.earlier.numbers("materials") == step.seen.numbers("materials")]
    assert any(step.earlier.potions != step.seen.potions for step in alike)
    for step in steps:
        worked = step.earlier.belongings != step.seen.belongings
        assert step.told[0].startswith("do worked on" if worked else "do had no effect")


def test_where_nothing_can_be_seen_nothing_is_placed() -> None:
    engine, state = meadow("full")
    darken(state, (-1, 0))
    face(engine, state, "wall")
    text = take(engine, carry(state, stone=1), "place_stone").told[0]
    assert text == "place_stone had no effect: what you face cannot be seen."


# Making and placing


@pytest.mark.parametrize("key", GAMES)
def test_placing_and_crafting(key: str) -> None:
    engine, state = meadow(key)
    told = take(engine, carry(state, wood=3), "place_table").told
    assert told[:2] == ["Placed a crafting table.", "Used 2 wood (1 left)."]
    assert "New achievement: place table." in told
    told = take(engine, carry(state, wood=1), "place_table").told
    assert told[0] == "place_table did nothing: needs 2 wood: you have 1."
    assert take(engine, carry(state, sapling=2), "place_plant").told[0] == "Planted a sapling."
    assert take(engine, carry(state, stone=2), "place_stone").told[0] == "Placed stone."
    face(engine, state, "crafting_table")
    told = take(engine, carry(state, wood=1), "make_wood_pickaxe").told
    assert told == ["Made a wood pickaxe.", "Used 1 wood (0 left).", "New achievement: make wood pickaxe."]


def test_classic_makes_a_tool_again_while_there_is_room() -> None:
    engine, state = meadow("classic")
    face(engine, state, "crafting_table")
    told = take(engine, carry(state, wood=1, wood_pickaxe=1), "make_wood_pickaxe").told
    assert told[0] == "Made a wood pickaxe (now 2)."
    told = take(engine, carry(state, wood=1, wood_pickaxe=9), "make_wood_pickaxe").told
    assert told[:2] == ["make_wood_pickaxe gave nothing: you cannot carry more.", "Used 1 wood (0 left)."]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize(("action", "label"), [("place_table", "crafting table"), ("place_furnace", "furnace")])
def test_what_is_shot_away_as_it_is_placed(key: str, action: str, label: str) -> None:
    engine, state = meadow(key)
    with_shot(state, "mob", (-1, 1), (0, -1))
    told = take(engine, carry(state, wood=2, stone=1), action).told
    assert told[0] == f"Placed a {label}, and a shot destroyed it at once."


def test_arrows_torches_and_armour() -> None:
    engine, state = meadow("full")
    face(engine, state, "crafting_table")
    set_block(engine.spec, state, (-1, 1), "furnace")
    rich = carry(state, iron=3, coal=3, wood=1, stone=1, arrows=5)
    assert take(engine, rich, "make_arrow").told[:3] == [
        "Made 2 arrows (now 7).",
        "Used 1 wood (0 left).",
        "Used 1 stone (0 left).",
    ]
    assert take(engine, rich, "make_torch").told[0] == "Made 4 torches."
    assert take(engine, carry(rich, arrows=98), "make_arrow").told[0] == "Made an arrow (now 99)."
    told = take(engine, rich, "make_iron_armour").told
    assert told[:3] == ["Used 3 coal (0 left).", "Used 3 iron (0 left).", "You now wear an iron helmet."]
    rich.inventory.armour[:] = (1, 1, 0, 1)
    assert "You now wear iron leggings." in take(engine, rich, "make_iron_armour").told


def test_a_spell_that_shots_out_of_view_prevent_is_not_claimed() -> None:
    engine, state = meadow("full")
    state.learned_spells[:] = True
    shots = state.player_projectiles
    shots.mask[0][:], shots.position[0][:] = True, (40, 40)
    state.player_projectile_directions[0][:] = (0, 1)
    armed = carry(state, bow=1, arrows=2)
    assert take(engine, armed, "cast_fireball").told[0] == "cast_fireball had no effect that can be seen."
    assert take(engine, armed, "shoot_arrow").told[0] == "shoot_arrow had no effect that can be seen."
    shots.mask[0][:] = False
    told = take(engine, armed, "shoot_arrow").told
    assert told[0] == "Shot an arrow (1 left)."
    assert not any("Used" in line for line in told)
    assert take(engine, armed, "cast_iceball").told[:2] == ["Cast an iceball.", "Lost 2 mana (now 7)."]
