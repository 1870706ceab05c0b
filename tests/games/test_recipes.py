"""What crafting, placing and harvesting cost and give, each entry played at cost and at one less."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from craftax_text_gym.games import ALL, FULL
from craftax_text_gym.games.spec import GameSpec, Placement, Recipe
from tests.availability.arena import advance, arena, block_at, owned
from tests.availability.cases import held_blocks

_AHEAD = (-1, 0)
_STATIONS = ("crafting_table", "furnace")


@pytest.mark.parametrize(
    ("spec", "recipe"),
    [(spec, recipe) for spec in ALL for recipe in spec.recipes],
    ids=lambda value: getattr(value, "key", getattr(value, "action", "")),
)
class TestRecipes:
    def _play(self, spec: GameSpec, recipe: Recipe, near: tuple[str, ...], **inventory: Any) -> tuple[Any, Any]:
        before = arena(spec.key, inventory={**recipe.costs, **inventory}, near=near)
        return before, advance(spec.key, before, recipe.action)

    def _product(self, state: Any, recipe: Recipe) -> int:
        (field, _), *_ = recipe.gives.items()
        value = owned(state, field)
        return int(max(value) if isinstance(value, list) else value)

    def test_at_cost(self, spec: GameSpec, recipe: Recipe) -> None:
        _, after = self._play(spec, recipe, recipe.near)
        assert {field: owned(after, field) for field in recipe.costs} == dict.fromkeys(recipe.costs, 0)
        assert self._product(after, recipe) == next(iter(recipe.gives.values()))

    def test_at_one_less(self, spec: GameSpec, recipe: Recipe) -> None:
        for field, cost in recipe.costs.items():
            before, after = self._play(spec, recipe, _STATIONS, **{field: cost - 1})
            jax.tree.map(np.testing.assert_array_equal, before.inventory, after.inventory)

    def test_without_a_station(self, spec: GameSpec, recipe: Recipe) -> None:
        for missing in recipe.near:
            near = tuple([station for station in _STATIONS if station != missing])
            before, after = self._play(spec, recipe, near)
            jax.tree.map(np.testing.assert_array_equal, before.inventory, after.inventory)

    def test_owned_already(self, spec: GameSpec, recipe: Recipe) -> None:
        (field, amount), *_ = recipe.gives.items()
        if recipe.limit is not None:
            for value, crafts in ((recipe.limit - 1, True), (recipe.limit, False)):
                before, after = self._play(spec, recipe, _STATIONS, **{field: value})
                assert (owned(after, "wood") < owned(before, "wood")) == crafts
        elif field in spec.tools:
            for value, crafts in ((amount - 1, True), (amount, False)):
                before, after = self._play(spec, recipe, _STATIONS, **{field: value})
                assert (owned(after, field) != value) == crafts
        elif field == "armour":
            _, after = self._play(spec, recipe, _STATIONS, armour=(amount, amount - 1, 0, 0))
            assert owned(after, "armour") == [amount, amount, 0, 0]
        else:
            _, after = self._play(spec, recipe, _STATIONS, **{field: 1})
            assert owned(after, field) == 2


@pytest.mark.parametrize(
    ("spec", "placement"),
    [(spec, placement) for spec in ALL for placement in spec.placements],
    ids=lambda value: getattr(value, "key", getattr(value, "action", "")),
)
class TestPlacements:
    def test_onto_every_block_at_cost(self, spec: GameSpec, placement: Placement) -> None:
        accepted = set()
        for name in held_blocks(spec):
            before = arena(spec.key, inventory=placement.costs, faced=name)
            after = advance(spec.key, before, placement.action)
            spent = all(owned(after, field) == 0 for field in placement.costs)
            if placement.becomes == "torch":
                assert (after.item_map[0][19, 20] == 1) == spent
            elif spent:
                assert block_at(spec, after, _AHEAD) == placement.becomes
            if spent:
                accepted.add(name)
        assert accepted == placement.onto

    def test_at_one_less(self, spec: GameSpec, placement: Placement) -> None:
        for field, cost in placement.costs.items():
            before = arena(spec.key, inventory={**placement.costs, field: cost - 1}, faced="grass")
            after = advance(spec.key, before, placement.action)
            assert block_at(spec, after, _AHEAD) == "grass"
            jax.tree.map(np.testing.assert_array_equal, before.inventory, after.inventory)


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.key)
class TestHarvests:
    def _tools(self, spec: GameSpec, tool: str | None, tier: int) -> dict[str, int]:
        """Every tool that there is but `tool`, of which `tier`."""
        best = 4 if spec is FULL else 1
        tools = {harvest.tool: best for harvest in spec.harvests if harvest.tool}
        return {**tools, tool: tier} if tool else tools

    def test_at_the_tier(self, spec: GameSpec) -> None:
        for harvest in spec.harvests:
            if harvest.chance < 1:
                continue
            before = arena(spec.key, inventory=self._tools(spec, harvest.tool, harvest.tier), faced=harvest.block)
            after = advance(spec.key, before, "do")
            gained = {
                field: owned(after, field) - owned(before, field)
                for field in spec.materials
                if owned(after, field) != owned(before, field)
            }
            assert (gained, block_at(spec, after, _AHEAD)) == (harvest.gives, harvest.leaves), harvest

    def test_below_the_tier(self, spec: GameSpec) -> None:
        for harvest in spec.harvests:
            if harvest.tool:
                before = arena(
                    spec.key, inventory=self._tools(spec, harvest.tool, harvest.tier - 1), faced=harvest.block
                )
                after = advance(spec.key, before, "do")
                assert block_at(spec, after, _AHEAD) == harvest.block
                jax.tree.map(np.testing.assert_array_equal, before.inventory, after.inventory)

    def test_chance(self, spec: GameSpec) -> None:
        for harvest in spec.harvests:
            if harvest.chance < 1:
                before = arena(spec.key, faced=harvest.block)
                (field, amount), *_ = harvest.gives.items()
                found = [owned(advance(spec.key, before, "do", seed), field) for seed in range(200)]
                assert set(found) == {0, amount}
                assert abs(np.mean(found) - harvest.chance) < 0.07  # three standard deviations

    def test_nothing_else_gives_anything_but_chests(self, spec: GameSpec) -> None:
        for name in set(held_blocks(spec)) - {harvest.block for harvest in spec.harvests} - {"chest"}:
            before = arena(spec.key, inventory=self._tools(spec, None, 0), faced=name)
            after = advance(spec.key, before, "do")
            jax.tree.map(np.testing.assert_array_equal, before.inventory, after.inventory)

    def test_a_full_bag_stays_full(self, spec: GameSpec) -> None:
        cap = spec.inventory_cap
        for count in (cap - 1, cap):
            after = advance(spec.key, arena(spec.key, inventory={"wood": count}, faced="tree"), "do")
            assert owned(after, "wood") == cap
            assert block_at(spec, after, _AHEAD) == "grass"
