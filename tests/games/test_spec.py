"""The games' data, each entry held to the engine: names and numbers to its enums, rules by playing them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games import ALL, CLASSIC, FULL, get
from craftax_text_gym.games.spec import GameSpec, Mob
from craftax_text_gym.observation.layout import LIT_THRESHOLD
from tests import proof
from tests.availability.arena import advance, arena, owned, put_creature, set_block
from tests.availability.cases import held_blocks
from tests.worlds import GAMES, SLOTS, floor_of

_AHEAD = (-1, 0)
_CLASSES = ("passive", "melee", "ranged")  # the engine's order
_UNSHOWN = ("out_of_bounds", "necromancer_vulnerable")  # the map never holds these


def _constants(spec: GameSpec) -> Any:
    return import_module(f"craftax.{'craftax' if spec is FULL else 'craftax_classic'}.constants")


def _static(spec: GameSpec) -> Any:
    return import_module(f"craftax_text_gym.engine.{spec.key}").STATIC


def _names(enum: Any) -> list[str]:
    names = {member.value: member.name.lower() for member in enum}
    assert sorted(names) == list(range(len(names)))
    return [names[value] for value in sorted(names)]


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.key)
class TestNumbers:
    def test_names_are_in_the_order_of_the_enums(self, spec: GameSpec) -> None:
        constants = _constants(spec)
        assert list(spec.actions) == _names(constants.Action)
        assert [block.name for block in spec.blocks] == _names(constants.BlockType)
        assert list(spec.achievement_keys) == _names(constants.Achievement)
        if spec is FULL:
            assert [item.name for item in spec.items] == _names(constants.ItemType)
            assert len(spec.projectiles) == len(constants.ProjectileType)
        assert [projectile.type_id for projectile in spec.projectiles] == list(range(len(spec.projectiles)))

    def test_sizes_are_the_engines(self, spec: GameSpec) -> None:
        static = _static(spec)
        names = (
            ("melee_mobs", "passive_mobs", "ranged_mobs", "mob_projectiles", "player_projectiles")
            if spec is FULL
            else ("zombies", "cows", "skeletons", "arrows")
        )
        assert spec.window == _constants(spec).OBS_DIM
        assert spec.map_size == static.map_size
        assert [size for size in spec.slots if size] == [getattr(static, f"max_{name}") for name in names]
        assert len(spec.floors) == getattr(static, "num_levels", 1)

    def test_params_are_the_engines(self, spec: GameSpec) -> None:
        params = import_module(f"craftax_text_gym.engine.{spec.key}").PARAMS()
        fields = {name: getattr(params, name) for name in params.__dataclass_fields__ if name != "fractal_noise_angles"}
        assert {param.name: param.default for param in spec.params} == fields
        assert all(type(fields[param.name]) is param.kind for param in spec.params)
        assert spec.max_steps == fields["max_timesteps"]

    def test_rewards_are_the_engines(self, spec: GameSpec) -> None:
        paid = _constants(FULL).ACHIEVEMENT_REWARD_MAP.tolist() if spec is FULL else [1] * 22
        assert [achievement.reward for achievement in spec.achievements] == paid
        assert spec.total_reward == (226 if spec is FULL else 22)

    def test_labels_and_symbols_are_distinct(self, spec: GameSpec) -> None:
        for entries in (spec.blocks, spec.items, spec.mobs):
            assert len({entry.label for entry in entries}) == len(entries)
        entries_of_all: tuple[Any, ...] = (*spec.blocks, *spec.items, *spec.mobs)
        symbols = [entry.symbol for entry in entries_of_all]
        assert all(len(symbol) == 1 for symbol in symbols)
        assert len(set(symbols)) == len(symbols)

    def test_materials_are_inventory_fields(self, spec: GameSpec) -> None:
        engine = get_engine(spec.key)
        inventory = engine.to_state(engine.reset(0, engine.params({}))[0]).inventory
        rest = {"potions": len(spec.potions), "armour": len(spec.armour)} if spec is FULL else {}
        assert {*spec.materials, *rest} == set(inventory.__dataclass_fields__)
        assert {name: len(getattr(inventory, name)) for name in rest} == rest


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.key)
class TestGround:
    def test_walkable_blocks_are_those_that_one_can_step_onto(self, spec: GameSpec) -> None:
        walked = {}
        for name in held_blocks(spec):
            state = arena(spec.key, faced=name)
            walked[name] = (advance(spec.key, state, "up").player_position != state.player_position).any()
        if spec is CLASSIC:
            assert walked.pop("lava")  # to one's death
        assert walked == {block.name: block.walkable for block in spec.blocks if block.name in walked}

    def test_what_is_shown_but_never_held_cannot_be_stepped_onto(self, spec: GameSpec) -> None:
        assert not any(block.walkable for block in spec.blocks if block.name in _UNSHOWN)


class TestMaxima:
    def test_full_clips_every_vital(self) -> None:
        attributes = {"dexterity": 2, "strength": 3, "intelligence": 4}
        fields: dict[str, Any] = {f"player_{name}": level for name, level in attributes.items()}
        fields |= {f"player_{vital}": 99 for vital in FULL.maxima}
        state = arena("full", **fields)
        after = advance("full", state, "noop")
        expected = {vital: base + factor * attributes[name] for vital, (base, name, factor) in FULL.maxima.items()}
        assert {vital: int(getattr(after, f"player_{vital}")) for vital in FULL.maxima} == expected

    @pytest.mark.parametrize(
        ("vital", "fields", "action"),
        [
            ("drink", {"faced": "water"}, "do"),
            ("food", {"faced": "ripe_plant"}, "do"),
            ("energy", {"is_sleeping": True, "player_fatigue": -10}, "noop"),
            ("health", {"player_recover": 25}, "noop"),
        ],
    )
    def test_classic_stops_at_nine(self, vital: str, fields: dict[str, Any], action: str) -> None:
        top, *_ = CLASSIC.maxima[vital]
        for value in (top - 1, top):
            state = arena("classic", **{**fields, f"player_{vital}": value})
            assert int(getattr(advance("classic", state, action), f"player_{vital}")) == top


class TestFloors:
    @pytest.mark.parametrize("floor", range(1, 9))
    def test_entering_pays(self, floor: int) -> None:
        for kills, enters in ((FULL.kills_to_open, True), (FULL.kills_to_open - 1, False)):
            before = arena("full", floor=floor - 1, underfoot=2, kills=kills)
            after = advance("full", before, "descend")
            entry = FULL.achievement_keys.index(FULL.floors[floor].achievement or "")
            assert (int(after.player_level) == floor, bool(after.achievements[entry])) == (enters, enters)
            assert int(after.player_xp) == int(enters)

    def test_the_first_ladder_is_open_from_the_start(self) -> None:
        engine = get_engine("full")
        state = engine.to_state(engine.reset(0, engine.params({}))[0])
        assert (np.asarray(state.monsters_killed) >= FULL.kills_to_open).tolist() == [True] + [False] * 8

    def test_floors_are_dark_for_the_most_part_or_lit_to_the_last_tile(self) -> None:
        engine = get_engine("full")
        params = engine.params({})
        for seed in range(proof.count(500, 30)):
            is_dark = np.asarray(engine.to_state(engine.reset(seed, params)[0]).light_map) <= LIT_THRESHOLD
            for floor, tiles in zip(FULL.floors, is_dark, strict=True):
                assert tiles.mean() > 0.5 if floor.dark else not tiles.any(), (seed, floor.label)

    def test_creatures_are_those_that_spawn(self) -> None:
        constants = _constants(FULL)
        for number, floor in enumerate(FULL.floors[:-1]):
            kinds, chances = constants.FLOOR_MOB_MAPPING[number], constants.FLOOR_MOB_SPAWN_CHANCE[number]
            expected = {
                FULL.mob(mob_class, int(kinds[index])).label  # type: ignore[arg-type]
                for index, mob_class in enumerate(_CLASSES)
                if float(chances[index]) > 0
            }
            assert set(floor.mobs) == expected, floor.label

    @pytest.mark.parametrize("progress", range(8))
    def test_the_boss_calls_two_kinds_a_wave(self, progress: int) -> None:
        state = arena("full", floor=8, boss_progress=progress, boss_timesteps_to_spawn_this_round=7)
        for column in range(12, 29):
            set_block(FULL, state, (-2, column - 20), "grave")
        called = set()
        for seed in range(4):
            after = advance("full", state, "noop", seed)
            for mob_class in ("melee", "ranged"):
                mobs = getattr(after, f"{mob_class}_mobs")
                kinds = mobs.type_id[8][mobs.mask[8]].tolist()
                called |= {FULL.mob(mob_class, kind).label for kind in kinds}
        assert called == set(FULL.floors[8].mobs[2 * progress : 2 * progress + 2])


@pytest.mark.parametrize(
    ("spec", "mob"),
    [(spec, mob) for spec in ALL for mob in spec.mobs],
    ids=lambda value: getattr(value, "key", getattr(value, "label", "")),
)
class TestMobs:
    def _field(self, spec: GameSpec, mob: Mob) -> str:
        return next(slots.field for slots in SLOTS[spec.key] if slots.kind == mob.mob_class)

    def test_health(self, spec: GameSpec, mob: Mob) -> None:
        if spec is FULL:
            column = _CLASSES.index(mob.mob_class)
            assert float(_constants(spec).MOB_TYPE_HEALTH_MAPPING[mob.type_id, column]) == mob.health
        else:
            assert {param.name: param.default for param in spec.params}[f"{mob.label}_health"] == mob.health

    def test_defeat_unlocks_its_achievement(self, spec: GameSpec, mob: Mob) -> None:
        before = arena(spec.key, kills=7)
        put_creature(spec, before, self._field(spec, mob), _AHEAD, kind=mob.type_id)
        mobs = getattr(before, self._field(spec, mob))
        mobs.health[floor_of(spec, before)][0] = 0.01 if spec is FULL else 1
        after = advance(spec.key, before, "do")
        new = after.achievements & ~before.achievements
        assert [spec.achievement_keys[index] for index in np.flatnonzero(new)] == [mob.achievement]
        if spec is FULL:  # only monsters open the ladder
            assert int(after.monsters_killed[0]) == (7 if mob.mob_class == "passive" else 8)


class TestMagic:
    @pytest.mark.parametrize("number", range(6))
    @pytest.mark.parametrize("colour", FULL.potions)
    def test_potions(self, colour: str, number: int) -> None:
        index, (vital, change) = FULL.potions.index(colour), FULL.potion_effects[number]
        mapping, potions = np.roll(np.arange(6), index - number), [0] * 6
        potions[index] = 1
        assert mapping[index] == number
        vitals: dict[str, Any] = {"player_health": 4, "player_mana": 4, "player_energy": 4}
        levels: dict[str, Any] = {"player_strength": 5, "player_dexterity": 5, "player_intelligence": 5}
        state = arena("full", inventory={"potions": potions}, potion_mapping=mapping, **vitals, **levels)
        after, noop = (advance("full", state, action) for action in (f"drink_potion_{colour}", "noop"))
        moved = {name: int(getattr(after, name) - getattr(noop, name)) for name in vitals}
        assert {name: delta for name, delta in moved.items() if delta} == {f"player_{vital}": change}
        assert owned(after, "potions") == [0] * 6

    @pytest.mark.parametrize("spell", FULL.spells)
    def test_spells(self, spell: str) -> None:
        known = [name == spell for name in FULL.spells]
        for mana, casts in ((2, True), (1, False)):
            after = advance("full", arena("full", learned_spells=known, player_mana=mana), f"cast_{spell}")
            assert after.achievements[FULL.achievement_keys.index(f"cast_{spell}")] == casts
            flying = after.player_projectiles.type_id[0][after.player_projectiles.mask[0]].tolist()
            assert [FULL.projectiles[kind].label for kind in flying] == [spell] * casts

    @pytest.mark.parametrize(("enchantment", "gem"), [("fire", "ruby"), ("ice", "sapphire")])
    def test_enchantments(self, enchantment: str, gem: str) -> None:
        for gems, mana, works in ((1, 9, True), (0, 9, False), (1, 8, False)):
            state = arena(
                "full",
                faced=f"enchantment_table_{enchantment}",
                inventory={gem: gems, "sword": 1},
                player_mana=mana,
                player_intelligence=2,
            )
            after = advance("full", state, "enchant_sword")
            assert FULL.enchantments[int(after.sword_enchantment)] == (enchantment if works else "")
            assert owned(after, gem) == gems - works

    @pytest.mark.parametrize("field", ["pickaxe", "sword", "bow"])
    def test_tools_have_a_label_a_tier(self, field: str) -> None:
        tiers = [amount for recipe in FULL.recipes for name, amount in recipe.gives.items() if name == field] or [1]
        assert len(FULL.tools[field]) == max(tiers) + 1

    @pytest.mark.parametrize(
        ("kind", "label"),
        [
            ("skeleton", "arrow"),
            ("gnome archer", "arrow"),
            ("orc mage", "fireball"),
            ("kobold", "dagger"),
            ("knight archer", "heavy arrow"),
            ("deep thing", "slimeball"),
            ("fire elemental", "great fireball"),
            ("ice elemental", "great iceball"),
        ],
    )
    def test_projectiles(self, kind: str, label: str) -> None:
        mob = next(mob for mob in FULL.mobs if mob.label == kind)
        number = int(_constants(FULL).RANGED_MOB_TYPE_TO_PROJECTILE_TYPE_MAPPING[mob.type_id])
        assert FULL.projectiles[number].label == label


class TestParams:
    @pytest.mark.parametrize(("limit", "levels"), [(1, 1), (2, 2), (6, 3)])
    def test_max_attribute(self, limit: int, levels: int) -> None:
        state = arena("full", player_xp=2)
        for _ in range(2):
            state = advance("full", state, "level_up_strength", params={"max_attribute": limit})
        assert int(state.player_strength) == levels

    def test_god_mode(self) -> None:
        state = arena("full", faced="stone", direction="up")
        for god_mode in (False, True):
            after = advance("full", state, "up", params={"god_mode": god_mode})
            assert (after.player_position[0] == 19) == god_mode
            assert int(advance("full", state, "descend", params={"god_mode": god_mode}).player_level) == god_mode

    @pytest.mark.parametrize("key", GAMES)
    def test_day_length(self, key: str) -> None:
        state = arena(key, timestep=149)
        lights = [float(advance(key, state, "noop", params={"day_length": days}).light_level) for days in (150, 300)]
        assert lights[0] == pytest.approx(1 - np.cos(np.pi * 0.3) ** 3, abs=1e-5)
        assert lights[1] == pytest.approx(1 - np.abs(np.cos(np.pi * 0.8)) ** 3, abs=1e-5)

    @pytest.mark.parametrize("key", GAMES)
    def test_always_diamond(self, key: str) -> None:
        engine, diamond = get_engine(key), get(key).block_index["diamond"]

        def diamonds(always: bool) -> list[int]:
            params = engine.params({"always_diamond": always})
            maps = [np.asarray(engine.to_state(engine.reset(seed, params)[0]).map) for seed in range(8)]
            return [int(((blocks if blocks.ndim == 2 else blocks[0]) == diamond).sum()) for blocks in maps]

        assert min(diamonds(True)) > 0
        assert sum(diamonds(True)) > sum(diamonds(False))

    @pytest.mark.parametrize(
        ("field", "chance"), [("cow", "cow_chance"), ("zombie", "zombie_base_chance"), ("skeleton", "skeleton_chance")]
    )
    def test_classic_spawns(self, field: str, chance: str) -> None:
        engine = get_engine("classic")
        state = engine.to_state(engine.reset(0, engine.params({}))[0])
        state = arena("classic", map=np.where(np.indices(state.map.shape).sum(0) % 2, 2, 7))
        off = {"spawn_cow_chance": 0.0, "spawn_zombie_base_chance": 0.0, "spawn_zombie_night_chance": 0.0}
        off["spawn_skeleton_chance"] = 0.0
        assert not getattr(advance("classic", state, "noop", params=off), f"{field}s").mask.any()
        params = {**off, f"spawn_{chance}": 1.0, f"{field}_health": 77}
        mobs = getattr(advance("classic", state, "noop", params=params), f"{field}s")
        assert mobs.health[mobs.mask].tolist() == [77]

    @pytest.mark.parametrize(("key", "field"), [("classic", "cows"), ("full", "passive_mobs")])
    def test_mob_despawn_distance(self, key: str, field: str) -> None:
        spec = get(key)
        for distance in (5, 6):
            state = arena(key)
            put_creature(spec, state, field, (0, 5))
            mobs = getattr(advance(key, state, "noop", params={"mob_despawn_distance": distance}), field)
            assert bool(mobs.mask[floor_of(spec, state)][0]) == (distance == 6)

    def test_zombies_come_by_night(self) -> None:
        state = arena("classic", light_level=0, timestep=0)
        state = state.replace(map=np.full_like(state.map, 2))
        params = {"spawn_zombie_base_chance": 0.0, "spawn_zombie_night_chance": 1.0}
        assert advance("classic", state, "noop", params=params).zombies.mask.any()
