"""Whom the player killed, as far as two views prove it.

A creature moves at most one tile in a step, after the blow, and stays in its class. It leaves only by death, or by
wandering off farther than `mob_despawn_distance`; only the player kills. So it is dead where no creature of its class
stands within its reach that it could be, and nothing dark or out of view lies there. New achievements prove more, and
so does a blow of at least a full health. Hidden health and the engine's order of creatures tell nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from craftax_text_gym.availability.damage import must_kill
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.games.spec import GameSpec, Mob, MobClass
from craftax_text_gym.observation.layout import DARK
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.utils.words import listed, with_article

Place = tuple[int, int]
"""Rows below and columns right of where the player stood before the step."""

_CLASSES: tuple[MobClass, ...] = ("melee", "passive", "ranged")
SHOOTING = ("shoot_arrow", "cast_fireball", "cast_iceball")
"""The actions that shoot."""

_HAS_SHOT = ("fire_bow", "cast_fireball", "cast_iceball")
"""Achievements without which the player has never shot."""


def blows(before: Scene, after: Scene, params: Mapping[str, object]) -> list[str]:
    """Say what became of whom the player struck: one creature of every class on the tile that he faces.

    Args:
        before: What he saw before the blow.
        after: What he saw after the step.
        params: As for `feedback.sentences`.

    Returns:
        A sentence for each.
    """
    struck = [(mob_class, _kinds(before, mob_class, [before.ahead])) for mob_class in _CLASSES]
    views = _Views(before, after, (0, 0), _despawn_distance(before.spec, params))
    return [_blow(views, kinds, params) for _, kinds in struck if kinds]


def shots(
    before: Scene, after: Scene, shift: Place, params: Mapping[str, object], *, is_blow: bool = False
) -> list[str]:
    """Say whom the player's arrows and spells have killed.

    Args:
        before: What the player saw before the step.
        after: What he saw after it, on the same floor.
        shift: How far he moved.
        params: As for `feedback.sentences`.
        is_blow: Whether he struck the tile that he faces.

    Returns:
        A sentence for each kind of creature.
    """
    views = _Views(before, after, shift, _despawn_distance(before.spec, params))
    dead: list[str] = []
    for mob_class in _CLASSES:
        if is_blow and _kinds(before, mob_class, [before.ahead]):
            continue  # `blows` tells of them
        places = views.places(mob_class)
        if places and not _can_all_live([views.homes(mob_class, place) for place in places]):
            dead.append(listed([with_article(mob.label) for mob in _kinds(before, mob_class, places)], "or"))
        elif not (is_blow and before.faced.block is None):  # else the blow may have killed one in the dark
            dead += [with_article(mob.label) for mob in defeated(after) if mob.mob_class == mob_class]
    return [f"A shot of yours killed {creature}." for creature in dead]


def defeated(after: Scene) -> list[Mob]:
    """The kinds of monsters that the last step's achievements say were killed in it."""
    new = after.new_achievements
    return [mob for mob in after.spec.mobs if mob.achievement in new and mob.mob_class != "passive"] if new else []


def may_have_killed(before: Scene, after: Scene) -> bool:
    """Whether fewer creatures are seen than before, or an achievement says that one was killed: a quick look."""
    if after.new_achievements and defeated(after):
        return True
    old, new = ([seen.mob.mob_class for seen in scene.things if seen.mob] for scene in (before, after))
    return any(new.count(mob_class) < old.count(mob_class) for mob_class in old)


def may_have_shot(scene: Scene) -> bool:
    """Whether a shot of the player's may be in flight, seen or unseen."""
    return scene.is_full and (sees_shot(scene) or any(key in scene.achievements for key in _HAS_SHOT))


def sees_shot(scene: Scene) -> bool:
    """Whether a shot of the player's is seen in flight."""
    for seen in scene.things:  # noqa: SIM110 (asked after every step, and `any` takes twice as long)
        if seen.owner == "player":
            return True
    return False


def _blow(views: _Views, kinds: Sequence[Mob], params: Mapping[str, object]) -> str:
    before, after = views.before, views.after
    mob, creature = kinds[0], listed([f"the {kind.label}" for kind in kinds], "or")
    if len(kinds) > 1:  # of which one was struck
        return f"Struck {creature}."
    if mob.mob_class == "passive" and (mob.achievement in after.new_achievements or after.food > before.food):
        return f"Ate {creature}."
    killing = "Ate" if mob.mob_class == "passive" else "Killed"
    if must_kill(before, mob, params):
        return f"{killing} {creature}."
    if mob in defeated(after) and not may_have_shot(before):
        return f"Killed {creature}."
    if views.proves_death(mob.mob_class, before.ahead):
        shot = mob.mob_class == "passive" and views.may_be_shot(before.ahead)
        return f"{'Killed' if shot else killing} {creature}."
    return f"Struck {creature}."


@dataclass(frozen=True)
class _Views:
    """What the player saw before and after a step, in places as they were before it.

    Attributes:
        before: The earlier view.
        after: The later one, on the same floor.
        shift: How far the player moved.
        despawn_distance: From how far away a creature is taken off the map.
    """

    before: Scene
    after: Scene
    shift: Place
    despawn_distance: int

    def places(self, mob_class: MobClass) -> list[Place]:
        """Where creatures of a class stood; afterwards, two on one tile may look alike, and are then seen as one."""
        return list(dict.fromkeys(_places(self.before, mob_class)))

    def proves_death(self, mob_class: MobClass, struck: Place) -> bool:
        """Whether a creature that stood on a tile and was struck there must be dead."""
        homes = [
            self.homes(mob_class, place)
            for place in self.places(mob_class)
            if place == struck or not self.may_be_shot(place)
        ]
        return not _can_all_live(homes)

    def homes(self, mob_class: MobClass, place: Place) -> list[int] | None:
        """Which of the creatures seen afterwards one may be; None where it may be out of sight."""
        row, column = place
        if abs(row - self.shift[0]) + abs(column - self.shift[1]) >= self.despawn_distance:
            return None
        reach = [near for near in _within(place, 1) if near == place or near != self.shift]
        if not all(map(self._is_seen, reach)):
            return None
        down, right = self.shift
        seen = [(row + down, column + right) for row, column in _places(self.after, mob_class)]
        return [number for number, other in enumerate(seen) if other in reach]

    def may_be_shot(self, place: Place) -> bool:
        """Whether a shot of the player's may have struck a creature that stood on a tile."""
        if not self.before.is_full:
            return False
        near = _within(place, 2)
        if any(seen.owner == "player" and (seen.down, seen.right) in near for seen in self.before.things):
            return True
        return not all(_is_lit(self.before, *other) for other in near)

    def _is_seen(self, place: Place) -> bool:
        return _is_lit(self.after, place[0] - self.shift[0], place[1] - self.shift[1])


def _can_all_live(homes: Iterable[Sequence[int] | None]) -> bool:
    """Whether each creature can be another one of those seen afterwards, but for those that may be out of sight."""
    taken: set[tuple[int, ...]] = {()}
    for options in homes:
        if options is not None:
            taken = {(*others, option) for others in taken for option in options if option not in others}
    return bool(taken)


def _kinds(scene: Scene, mob_class: MobClass, places: Sequence[Place]) -> list[Mob]:
    """The kinds of creatures of a class on some tiles, by name."""
    found = {seen.mob.label: seen.mob for seen in scene.things if seen.mob and (seen.down, seen.right) in places}
    return [mob for _, mob in sorted(found.items()) if mob.mob_class == mob_class]


def _places(scene: Scene, mob_class: MobClass) -> list[Place]:
    return [(seen.down, seen.right) for seen in scene.things if seen.mob and seen.mob.mob_class == mob_class]


@lru_cache(1024)
def _within(place: Place, distance: int) -> tuple[Place, ...]:
    """The tiles up to so many steps away, the tile itself among them."""
    found = {place}
    for _ in range(distance):
        found |= {(row + down, column + right) for row, column in found for down, right in OFFSETS}
    return tuple(found)


def _is_lit(scene: Scene, row: int, column: int) -> bool:
    rows, columns = scene.spec.window
    inside = abs(row) <= rows // 2 and abs(column) <= columns // 2
    return inside and scene.codes(row, column)[0] != DARK


def _despawn_distance(spec: GameSpec, params: Mapping[str, object]) -> int:
    distance: Any = params.get("mob_despawn_distance", _default_distance(spec))
    return int(distance)


@lru_cache
def _default_distance(spec: GameSpec) -> int:
    return int(next(param.default for param in spec.params if param.name == "mob_despawn_distance"))
