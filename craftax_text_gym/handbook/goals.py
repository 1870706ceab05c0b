"""What gives reward, and when a game is over."""

from __future__ import annotations

from collections.abc import Iterator

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.rule import Rule


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the topic."""
    return tuple(_rules(spec))


def rewards(spec: GameSpec) -> list[int]:
    """The rewards of achievements, each amount once."""
    return sorted({achievement.reward for achievement in spec.achievements})


def _rules(spec: GameSpec) -> Iterator[Rule]:
    yield Rule(
        "goals.achievements",
        f"There are {len(spec.achievements)} achievements. Each pays once in a game; all of them pay "
        f"{spec.total_reward}.",
    )
    for reward in rewards(spec):
        names = [achievement.label for achievement in spec.achievements if achievement.reward == reward]
        yield Rule(f"goals.pay_{reward}", f"{reward} each: {', '.join(names)}")
    yield Rule("goals.health", "Each point of health gained pays 0.1, each lost costs 0.1.")
    if spec.key == "full":
        yield Rule(
            "goals.found",
            "Having a thing is what counts for collecting or making it: so do finds from chests, and a better "
            "pickaxe or sword counts for the lesser ones.",
            1,
        )
    yield Rule(
        "goals.waking", "wake up is reached by waking with full energy, or by a blow that wakes you; not by a shot."
    )
    yield Rule("goals.end", f"The game also ends after {spec.max_steps:,} steps.")
