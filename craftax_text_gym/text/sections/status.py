"""How the player is, where, and what it faces."""

from __future__ import annotations

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.scene import Scene
from craftax_text_gym.text import phrases
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.moment import Moment


class Status:
    """Vitals with their maxima, attributes, place, daylight, sleep, the faced tile and the one underfoot."""

    title = "Status"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._full = spec.key == "full"

    def lines(self, moment: Moment) -> list[str]:
        scene = moment.scene
        lines = [_vitals(scene)]
        if self._full:
            lines += [_attributes(scene), _place(scene)]
        else:
            lines.append(f"daylight {scene.daylight:.0%}")
        state = _state(scene)
        if state:
            lines.append(state)
        lines.append(f"facing {scene.direction}: {phrases.tile(scene.faced)}")
        lines.append(f"underfoot: {phrases.tile(scene.underfoot)}")
        return lines


def _vitals(scene: Scene) -> str:
    most = scene.maxima
    words = (
        f"health {phrases.number(scene.health)}/{most['health']}, food {scene.food}/{most['food']}, "
        f"drink {scene.drink}/{most['drink']}, energy {scene.energy}/{most['energy']}"
    )
    return words if scene.mana is None else f"{words}, mana {scene.mana}/{most['mana']}"


def _attributes(scene: Scene) -> str:
    values = "experience {}, dexterity {}, strength {}, intelligence {}".format(*scene.attributes)
    return f"{values}; spells: {', '.join(scene.spells)}" if scene.spells else values


def _place(scene: Scene) -> str:
    words = f"floor {scene.floor} ({scene.spec.floors[scene.floor].label}), daylight {scene.daylight:.0%}"
    if scene.on_boss_floor:
        return f"{words}, necromancer {'vulnerable' if scene.boss_vulnerable else 'invulnerable'}"
    return f"{words}, ladder down {'open' if scene.ladder_open else 'closed'}"


def _state(scene: Scene) -> str:
    states = []
    if scene.dead:
        states.append("you have died")
    if scene.boss_defeated:
        states.append("you have defeated the necromancer")
    if scene.sleeping:
        states.append("you are asleep")
    if scene.resting:
        states.append("you are resting")
    return "; ".join(states)
