"""The mask and the reasons, held to the engine: unavailable is as good as noop, available can differ."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from craftax_text_gym.availability.derived import OF_FACED_TILE, formulas, given_behind
from craftax_text_gym.availability.facts import of_row, places, rules
from craftax_text_gym.availability.mask import action_mask
from craftax_text_gym.availability.reasons import caveat, explain
from craftax_text_gym.availability.rules import needs
from craftax_text_gym.availability.tiles import tables
from craftax_text_gym.games import get
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.observation.layout import DARK
from craftax_text_gym.observation.scene import Scene
from tests.availability.arena import arena, mark_creatures
from tests.availability.cases import border_cases, chance_states, played_cases, scramble_hidden
from tests.availability.oracle import KEYS, Oracle, get_oracle
from tests.proof import count
from tests.worlds import GAMES, floor_of, to_numpy

_ROUNDS = 256 // KEYS  # before an available action is given up
_SHOTS = ("shoot_arrow", "cast_fireball", "cast_iceball")


def _row(oracle: Oracle, state: Any, params: dict[str, Any] | None = None) -> Any:
    engine = oracle.engine
    return engine.read(engine.look(engine.from_state(state), engine.params(params or {})))


def _check(oracle: Oracle, state: Any, tally: Counter[str], params: dict[str, Any] | None = None) -> None:
    """Compare mask, reasons and engine in one state."""
    spec = oracle.spec
    rows = _row(oracle, state, params)
    scene = Scene(spec, rows[0].tobytes())
    mask = scene.action_mask
    assert mask.dtype == np.int8
    assert mask[spec.action_index["noop"]] == 1
    changed, health = oracle.judge(state, params=params)
    stubborn = []
    for action, name in enumerate(spec.actions):
        reason = explain(scene, action, params=params or {})
        assert (reason is None) == (mask[action] == 1), (name, reason)
        tally["unavailable" if reason else "available"] += 1
        if reason:
            wrong = changed[:, action]
            if name == "rest" and reason == "your health is full":
                wrong = wrong & ~(health < scene.maxima["health"])  # but where something hits in this very step
                tally["rest after a hit"] += int(changed[:, action].any())
            if wrong.any() and _walks_through(oracle, state, name):
                tally["through an unmarked creature"] += 1
                continue
            assert not wrong.any(), f"{name} is said to be unavailable ({reason}), yet it differs from noop"
        elif name != "noop" and not changed[:, action].any():
            stubborn.append(action)
    for action in [action for action in stubborn if not _is_hidden(oracle, state, scene, action, params)]:
        name = spec.actions[action]
        differs = any(oracle.judge(state, KEYS * turn, params)[0][:, action].any() for turn in range(1, _ROUNDS))
        assert differs, f"{name} is said to be available, yet it never differs from noop"
        tally["available by chance"] += 1
    tally["states"] += 1


def _is_hidden(oracle: Oracle, state: Any, scene: Scene, action: int, params: dict[str, Any] | None) -> bool:
    """Whether an action may be no better than noop because of something that the player cannot see."""
    name = oracle.spec.actions[action]
    if caveat(scene, action, params=params or {}) is not None:
        return True
    if name in _SHOTS:
        visible = sum(thing.owner == "player" for thing in scene.things)
        return bool(state.player_projectiles.mask[int(state.player_level)].sum() > visible)
    return name == "do" and scene.faced.block in ("water", "fountain") and float(state.player_thirst) == 0


def _walks_through(oracle: Oracle, state: Any, name: str) -> bool:
    """Classic: a creature that shares the faced tile with one that left it is unmarked for a step."""
    if oracle.spec.key != "classic" or not (name in ("left", "right", "up", "down") or name.startswith("place_")):
        return False
    row, column = state.player_position + OFFSETS[state.player_direction]
    groups = (state.zombies, state.cows, state.skeletons)
    stands = any((mobs.mask & (mobs.position == (row, column)).all(axis=1)).any() for mobs in groups)
    return stands and not state.mob_map[floor_of(oracle.spec, state)][row, column]


def _check_all(oracle: Oracle, states: Iterable[Any]) -> Counter[str]:
    tally: Counter[str] = Counter()
    for state in states:
        _check(oracle, state, tally)
    print(oracle.spec.key, dict(tally), f"x {KEYS} keys")
    return tally


@pytest.mark.parametrize("key", GAMES)
def test_mask_equals_the_engine_at_every_border(key: str) -> None:
    oracle = get_oracle(key)
    every = count(1, 3) if key == "full" else 1
    _check_all(oracle, (case() for case in border_cases(oracle.spec)[::every]))


@pytest.mark.parametrize("key", GAMES)
def test_mask_equals_the_engine_in_states_of_chance(key: str) -> None:
    oracle = get_oracle(key)
    _check_all(oracle, chance_states(oracle.spec, count(3000, 120)))


@pytest.mark.parametrize("key", GAMES)
def test_mask_equals_the_engine_in_play(key: str) -> None:
    oracle = get_oracle(key)
    tally = _check_all(oracle, played_cases(oracle.spec, count(1000, 60)))
    # One of the ways of Classic that cannot be seen; it must stay rare, and never happen in the full game.
    assert tally["through an unmarked creature"] <= (0 if key == "full" else tally["states"] // 100)


@pytest.mark.parametrize(
    "params", [{"god_mode": True}, {"max_attribute": 1}, {"max_attribute": 8}, {"god_mode": True, "max_attribute": 4}]
)
def test_mask_honours_the_params(params: dict[str, Any]) -> None:
    oracle, tally = get_oracle("full"), Counter[str]()
    cases = border_cases(oracle.spec)
    chosen = np.random.default_rng(1).permutation(len(cases))[: count(100, 20)]
    for state in [*(cases[index]() for index in chosen), *chance_states(oracle.spec, count(60, 15), seed=9)]:
        _check(oracle, state, tally, params)


@pytest.mark.parametrize("key", GAMES)
def test_what_cannot_be_seen_decides_nothing(key: str) -> None:
    oracle, rng, darkness = get_oracle(key), np.random.default_rng(5), 0
    spec = oracle.spec
    for state in chance_states(spec, count(1000, 80), seed=3):
        before, after = _row(oracle, state), _row(oracle, scramble_hidden(spec, to_numpy(state), rng))
        darkness += int((before[0]["blocks"] == DARK).sum())
        assert (before["action_mask"] == after["action_mask"]).all()
        scenes = [Scene(spec, rows[0].tobytes()) for rows in (before, after)]
        for action in range(len(spec.actions)):
            assert explain(scenes[0], action) == explain(scenes[1], action)
        assert scenes[0] == scenes[1]
    assert darkness or key == "classic"


@pytest.mark.parametrize("key", GAMES)
def test_the_host_computes_the_mask_of_the_compiled_step(key: str) -> None:
    oracle = get_oracle(key)
    spec, available = oracle.spec, 0
    for state in chance_states(spec, count(600, 60), seed=7):
        row = _row(oracle, state)[0]
        defaults = {param.name: param.default for param in spec.params}
        mask = action_mask(spec, {name: row[name] for name in row.dtype.names}, defaults, np)
        assert mask.dtype == np.int8
        assert (mask == row["action_mask"]).all()
        available += int(mask.sum())
    assert 0.1 < available / (count(600, 60) * len(spec.actions)) < 0.9


@pytest.mark.parametrize("key", GAMES)
def test_a_formula_is_given_all_that_it_depends_on(key: str) -> None:
    """Every fact is reached from what a packed row, the parameters and the tables of tiles give."""
    spec = get_oracle(key).spec
    given = places(spec).keys() | set(rules(spec)) | tables(spec).keys()
    assert not formulas(spec).keys() & given
    for name, formula in formulas(spec).items():
        assert set(formula.sources) <= given | formulas(spec).keys(), name
        assert given_behind(spec, name) <= given | OF_FACED_TILE


def _explained_anew(scene: Scene, action: str) -> str | None:
    """The reason without anything that was kept."""
    wanted, facts = needs(scene.spec).get(action, ()), of_row(scene.spec, scene.data, {})
    if wanted and (scene.sleeping or scene.resting):
        return "you are asleep" if scene.sleeping else "you are resting"
    broken = [need.words(scene, facts[need.fact]) for need in wanted if not need.holds(facts[need.fact])]
    return "; ".join(dict.fromkeys(broken)) or None


@pytest.mark.parametrize("key", GAMES)
def test_a_reason_that_is_kept_is_that_of_the_scene(key: str) -> None:
    """Scenes that agree in most of what reasons depend on: in the tiles beside the player, or the faced one alone."""
    oracle = get_oracle(key)
    spec = oracle.spec
    rows = np.concatenate([_row(oracle, state) for state in chance_states(spec, count(600, 80), seed=9)])
    row, column = spec.window[0] // 2, spec.window[1] // 2
    beside = (slice(None), slice(row - 1, row + 2), slice(column - 1, column + 2))
    ahead = np.array([Scene(spec, entry.tobytes()).ahead for entry in rows])
    faced = (np.arange(len(rows)), row + ahead[:, 0], column + ahead[:, 1])
    mixed, alone, others = rows.copy(), rows.copy(), rows[::-1]
    for field in ("blocks", "items", "achievements", "kills", "ladder_open", "boss_vulnerable"):
        if field in (rows.dtype.names or ()):
            mixed[field], alone[field] = others[field], others[field]
            if field in ("blocks", "items"):
                mixed[field][beside] = rows[field][beside]
                alone[field][faced] = rows[field][faced]
    is_lit = rows["blocks"][faced] != DARK  # no creature is seen where it is dark
    alone["things"][is_lit] = others["things"][is_lit]
    told = 0
    for alike in zip(rows, mixed, alone, strict=True):
        for scene in [Scene(spec, entry.tobytes()) for entry in alike]:
            each = [explain(scene, action) for action in range(len(spec.actions))]
            assert each == [_explained_anew(scene, action) for action in spec.actions]
            told += sum(reason is not None for reason in each)
    assert told > 10 * len(rows)


_REASONS: list[tuple[str, str, dict[str, Any], str | None]] = [
    ("full", "noop", {"is_sleeping": True}, None),
    ("full", "left", {"is_sleeping": True}, "you are asleep"),
    ("full", "left", {"is_resting": True}, "you are resting"),
    ("full", "up", {"faced": "water"}, "water is in the way"),
    ("full", "left", {"faced": "water"}, None),
    ("full", "up", {"creature": "passive_mobs"}, "a cow is in the way"),
    ("classic", "down", {"player_position": (63, 9), "direction": "down"}, "the edge of the world is in the way"),
    ("classic", "up", {"faced": "lava"}, None),
    ("full", "up", {"faced": "lava"}, "lava is in the way"),
    ("full", "do", {"faced": "sand"}, "there is nothing to do with sand"),
    ("full", "do", {"faced": "plant"}, "the plant is not ripe"),
    ("full", "do", {"faced": "iron", "inventory": {"pickaxe": 1}}, "iron needs a stone pickaxe"),
    ("classic", "do", {"faced": "diamond", "inventory": {"stone_pickaxe": 1}}, "diamond needs an iron pickaxe"),
    ("classic", "do", {"faced": "furnace"}, "there is nothing to do with furnace"),
    ("full", "do", {"faced": "furnace"}, None),
    ("full", "do", {"faced": "grass", "inventory": {"sapling": 99}}, "you already carry 99 saplings"),
    (
        "full",
        "do",
        {"floor": 8, "faced": "necromancer", "boss_timesteps_to_spawn_this_round": 1},
        "the necromancer cannot be hurt now",
    ),
    (
        "full",
        "do",
        {"floor": 1, "faced": "necromancer", "boss_timesteps_to_spawn_this_round": 0},
        "the necromancer cannot be hurt on this floor",
    ),
    ("full", "sleep", {"player_energy": 9}, "you are not tired: your energy is full"),
    ("full", "rest", {"player_health": 9}, "your health is full"),
    ("full", "rest", {"player_food": 0, "player_drink": 0, "player_health": 3}, "you are starving; you are parched"),
    ("full", "place_stone", {}, "needs 1 stone: you have 0"),
    (
        "full",
        "place_table",
        {"inventory": {"wood": 1}, "faced": "tree"},
        "needs 2 wood: you have 1; a crafting table cannot be placed on tree",
    ),
    ("full", "place_plant", {"inventory": {"sapling": 1}, "faced": "sand"}, "you are not facing grass"),
    ("full", "place_torch", {"inventory": {"torches": 1}, "faced": "grass", "faced_item": 1}, "a torch is in the way"),
    ("full", "place_torch", {"faced": "water"}, "needs 1 torch: you have 0; a torch cannot be placed on water"),
    (
        "full",
        "place_stone",
        {"inventory": {"stone": 1}, "faced": "grass", "creature": "melee_mobs"},
        "a zombie is in the way",
    ),
    (
        "classic",
        "make_iron_sword",
        {"inventory": {"wood": 1, "stone": 1, "iron": 1}, "near": ("crafting_table",)},
        "needs 1 coal: you have 0; no furnace within reach",
    ),
    (
        "full",
        "make_wood_sword",
        {"inventory": {"wood": 1, "sword": 2}, "near": ("crafting_table",)},
        "you already have a stone sword",
    ),
    (
        "full",
        "make_diamond_pickaxe",
        {"inventory": {"wood": 1}},
        "needs 3 diamonds: you have 0; no crafting table within reach",
    ),
    (
        "full",
        "make_arrow",
        {"inventory": {"wood": 1, "stone": 1, "arrows": 99}, "near": ("crafting_table",)},
        "you already carry 99 arrows",
    ),
    (
        "full",
        "make_iron_armour",
        {"inventory": {"iron": 3, "coal": 3, "armour": (1, 1, 2, 1)}, "near": ("crafting_table", "furnace")},
        "every piece of your armour is already iron or diamond",
    ),
    ("full", "shoot_arrow", {"inventory": {"bow": 1, "arrows": 1}, "shots": 3}, "3 shots of yours are still in flight"),
    ("full", "shoot_arrow", {}, "needs a bow; needs 1 arrow: you have 0"),
    ("full", "cast_iceball", {"player_mana": 1}, "you have not learned iceball; needs 2 mana: you have 1"),
    ("full", "drink_potion_pink", {}, "you have no pink potion"),
    ("full", "read_book", {}, "needs 1 book: you have 0"),
    (
        "full",
        "enchant_bow",
        {"faced": "stone", "player_mana": 9, "player_intelligence": 5},
        "you are not facing an enchantment table; needs a bow",
    ),
    (
        "full",
        "enchant_sword",
        {"faced": "enchantment_table_fire", "player_mana": 8, "inventory": {"sword": 1}},
        "needs 1 ruby: you have 0; needs 9 mana: you have 8",
    ),
    (
        "full",
        "enchant_armour",
        {"faced": "enchantment_table_ice", "player_mana": 9, "inventory": {"ruby": 1}},
        "needs 1 sapphire: you have 0; needs armour",
    ),
    (
        "full",
        "level_up_strength",
        {"player_strength": 5},
        "needs 1 experience point: you have 0; strength is already 5, its maximum",
    ),
    ("full", "descend", {}, "you are not on a ladder down"),
    (
        "full",
        "descend",
        {"underfoot": 2, "kills": 7},
        "the ladder down is blocked until 8 monsters of this floor are killed",
    ),
    ("full", "descend", {"floor": 3, "underfoot": 3, "kills": 7}, "you are not on a ladder down"),
    ("full", "descend", {"floor": 8}, "this is the lowest floor"),
    ("full", "descend", {"floor": 8, "underfoot": 2, "kills": 7}, "this is the lowest floor"),
    ("full", "ascend", {"floor": 3}, "you are not on a ladder up"),
]


@pytest.mark.parametrize(("key", "action", "edits", "reason"), _REASONS)
def test_reasons_in_words(key: str, action: str, edits: dict[str, Any], reason: str | None) -> None:
    engine = get_oracle(key).engine
    scene = Scene(engine.spec, _row(get_oracle(key), arena(key, **edits))[0].tobytes())
    assert explain(scene, engine.spec.action_index[action]) == reason
    assert caveat(scene, engine.spec.action_index[action]) is None


_DARK = "it is too dark to tell"


@pytest.mark.parametrize(
    ("action", "dark", "edits", "expected"),
    [
        ("up", (-1, 0), {"faced": "stone"}, f"{_DARK} what you face"),
        ("down", (-1, 0), {}, None),
        ("do", (-1, 0), {}, f"{_DARK} what you face"),
        ("place_table", (-1, 0), {"inventory": {"wood": 2}}, f"{_DARK} what you face"),
        ("place_table", (-1, 0), {"inventory": {"wood": 1}}, None),
        ("make_wood_sword", (1, 1), {"inventory": {"wood": 1}}, f"{_DARK} whether a crafting table is within reach"),
        ("make_wood_sword", (1, 1), {"inventory": {"wood": 1}, "near": ("crafting_table",)}, None),
        ("descend", (0, 0), {"kills": 8}, f"{_DARK} whether you are on a ladder down"),
        ("descend", (0, 0), {"kills": 7}, None),
        ("ascend", (0, 0), {"floor": 4}, f"{_DARK} whether you are on a ladder up"),
        ("up", (1, 0), {}, None),
    ],
)
def test_caveats_in_words(action: str, dark: tuple[int, int], edits: dict[str, Any], expected: str | None) -> None:
    oracle, state = get_oracle("full"), arena("full", **edits)
    row, column = state.player_position + dark
    state.light_map[int(state.player_level), row, column] = 0.05
    scene = Scene(oracle.spec, _row(oracle, state)[0].tobytes())
    assert caveat(scene, oracle.spec.action_index[action]) == expected
    if expected:
        assert explain(scene, oracle.spec.action_index[action]) is None


@pytest.mark.parametrize(
    ("carried", "mana", "expected"),
    [
        ({"sword": 1}, 9, "needs 1 ruby or 1 sapphire: you have neither"),
        ({"sword": 1}, 8, "needs 1 ruby or 1 sapphire: you have neither; needs 9 mana: you have 8"),
        ({"sword": 1, "ruby": 1}, 8, "needs 9 mana: you have 8"),
        ({"sapphire": 1}, 9, "needs a sword"),
        ({"sword": 1, "sapphire": 1}, 9, None),
    ],
)
def test_enchanting_in_the_dark_lacks_what_is_known_to_lack(
    carried: dict[str, int], mana: int, expected: str | None
) -> None:
    oracle, state = get_oracle("full"), arena("full", inventory=carried, player_mana=mana, player_intelligence=2)
    row, column = state.player_position
    state.light_map[0, row - 1, column] = 0
    scene = Scene(oracle.spec, _row(oracle, state)[0].tobytes())
    assert explain(scene, oracle.spec.action_index["enchant_sword"]) == expected


def test_walking_off_the_upper_edge_of_classic_is_a_step_into_the_unknown() -> None:
    oracle = get_oracle("classic")
    state = arena("classic", player_position=(0, 9), direction="up")
    scene = Scene(oracle.spec, _row(oracle, state)[0].tobytes())
    up = oracle.spec.action_index["up"]
    assert caveat(scene, up) == "what lies beyond the edge of the world cannot be seen"
    state.map[-1, 9] = oracle.spec.block_index["stone"]
    assert not oracle.judge(state)[0][:, up].any()
    state.map[-1, 9] = oracle.spec.block_index["lava"]
    assert oracle.judge(state)[0][:, up].all()


def test_full_marks_the_tiles_of_its_creatures_and_no_others() -> None:
    """`mob_map`, which decides collisions, says what the arrays say: so a row need not hold it."""
    for state in played_cases(get("full"), count(500, 30), seed=40):
        marked = state.mob_map.copy()
        mark_creatures(get("full"), state)
        assert (marked == state.mob_map)[int(state.player_level)].all()


def test_needs_no_jax() -> None:
    code = "import sys, craftax_text_gym.availability.reasons; sys.exit('jax' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
