"""Health, food, drink, energy, sleep and rest."""

from __future__ import annotations

from collections.abc import Iterator

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.rule import Rule, maxima_words, plain, steps_over
from craftax_text_gym.utils.words import listed


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the topic."""
    return (*_vitals(spec), *_meals(spec), *_sleep(spec), *(_rest() if spec.key == "full" else ()))


def _vitals(spec: GameSpec) -> Iterator[Rule]:
    m = spec.mechanics
    yield Rule("survival.death", "At 0 health you die, and the game is over.")
    yield Rule("survival.maxima", _maxima(spec))
    for vital, limit in (("food", m.hunger), ("drink", m.thirst)):
        awake, asleep = steps_over(limit), steps_over(limit, m.asleep_want)
        yield Rule(f"survival.{vital}", f"{vital.title()} falls by 1 every {awake} steps; asleep, every {asleep}.")
    yield Rule("survival.energy", f"Energy falls by 1 every {steps_over(m.fatigue)} steps that you are awake.")
    yield Rule(
        "survival.starving",
        f"While food, drink or energy is 0 you lose 1 health every {steps_over(m.starvation)} steps; asleep, every "
        f"{steps_over(m.starvation, m.asleep_starvation)}, and lack of energy does no harm then.",
    )
    yield Rule(
        "survival.healing",
        f"While none of them is 0 you gain 1 health every {steps_over(m.recovery)} steps; asleep, every "
        f"{steps_over(m.recovery, m.asleep_recovery)}.",
    )


def _maxima(spec: GameSpec) -> str:
    if spec.key == "classic":
        return f"Health, food, drink and energy are never above {spec.maxima['health'][0]}."
    return f"The most you can have: {maxima_words(spec)}. Each attribute starts at 1."


def _meals(spec: GameSpec) -> Iterator[Rule]:
    m = spec.mechanics
    sources = "water or a fountain" if spec.key == "full" else "water"
    animals = [mob.label for mob in spec.mobs if mob.mob_class == "passive"]
    yield Rule("survival.drinking", f"do on {sources} gives {m.drink} drink.")
    yield Rule("survival.meat", f"Killing a {listed(animals, 'or')} with do is eating it: {m.meal} food.")
    yield Rule(
        "survival.growing", f"A sapling that you plant is ripe after {m.ripe_age} steps; do leaves an unripe one be."
    )
    yield Rule(
        "survival.fruit", f"do on a ripe plant gives {m.fruit} food and makes it an unripe one, which ripens anew."
    )
    yield Rule("survival.orchard", f"Only the first {m.ripening_plants} saplings that you plant in a game ever ripen.")


def _sleep(spec: GameSpec) -> Iterator[Rule]:
    m = spec.mechanics
    strikers = "zombie's" if spec.key == "classic" else "monster's"
    yield Rule("survival.sleep", "sleep works only below full energy. Until you wake, every action counts as noop.")
    yield Rule("survival.sleeping", f"Asleep you gain 1 energy every {steps_over(m.tiredness)} steps.")
    yield Rule("survival.waking", "You wake when your energy is full, or when something hits you; not by daylight.")
    yield Rule(
        "survival.helpless",
        f"A {strikers} blow does {plain(m.asleep_blow)} times its damage to a sleeper; a shot does no more than ever.",
    )
    yield Rule(
        "survival.shelter",
        "Creatures step and strike only up, down, left and right. With stone on the 4 tiles beside you nothing can "
        "reach you: build that before you sleep.",
    )


def _rest() -> Iterator[Rule]:
    yield Rule(
        "survival.rest",
        "rest works below full health, with food and drink above 0. Until health is full, food or drink is 0, or "
        "something hits you, every action counts as noop.",
    )
    yield Rule("survival.resting", "Resting heals no faster than waiting.")
