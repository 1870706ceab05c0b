"""The order of skills: the first one with something to do chooses the action."""

from __future__ import annotations

from collections.abc import Callable

from craftax_text_gym.agents.scripted import belongings, depths, fighting, needs, overworld
from craftax_text_gym.agents.scripted.mind import Mind

Skill = Callable[[Mind], str | None]

CARE: tuple[Skill, ...] = (
    depths.escape,
    fighting.dodge,
    fighting.strike,
    fighting.wall_off,
    depths.retreat,
    fighting.shoot,
    needs.heal,
    depths.light,
    fighting.confront,
    fighting.await_blow,
)
NEEDS: tuple[Skill, ...] = (
    needs.drink,
    needs.eat,
    needs.sleep,
)
OVERWORLD: tuple[Skill, ...] = (
    belongings.use,
    overworld.firsts,
    overworld.sow,
    overworld.reap,
    overworld.pick_up,
    overworld.tools,
    overworld.remaining_achievements,
)
DEPARTURE: tuple[Skill, ...] = (depths.equip, depths.await_plant, depths.descend)
DEPTHS: tuple[Skill, ...] = (
    belongings.use,
    depths.hold_ladder,
    overworld.firsts,
    overworld.pick_up,
    depths.enchant,
    depths.loot,
    depths.upgrade,
    depths.fight_on,
    depths.descend,
)


def skills(mind: Mind) -> tuple[Skill, ...]:
    """The skills for the current floor, the most urgent first."""
    if mind.view.floor:
        return CARE + NEEDS + DEPTHS
    return CARE + NEEDS + OVERWORLD if mind.spec.key == "classic" else CARE + NEEDS + OVERWORLD + DEPARTURE


def decide(mind: Mind) -> str:
    """Choose the next action."""
    for skill in skills(mind):
        action = skill(mind)
        if action is not None:
            return action
    return overworld.idle(mind)
