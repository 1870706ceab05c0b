"""What a player is told of the episode as a whole: the achievements, the caps, and what is left of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text.formats import TextFormat


@dataclass(frozen=True, slots=True)
class Caps:
    """The caps of an episode, as far as they are known.

    Attributes:
        steps: The most steps of the game; None if unknown.
        decisions: The most replies; None if unknown, or if there are as many as steps.
    """

    steps: int | None = None
    decisions: int | None = None

    def words(self) -> str:
        """Sentences for a prompt; `""` without a cap."""
        units = ((self.steps, "step of the game", "steps of the game"), (self.decisions, "reply", "replies"))
        known = [f"{most:,} {one if most == 1 else many}" for most, one, many in units if most is not None]
        if not known:
            return ""
        which = ", whichever comes first" if len(known) > 1 else ""
        return f"This episode ends after {' or '.join(known)}{which}. From half on, the observation says what is left."

    def left(self, steps: int, decisions: int) -> str:
        """A note on what is left.

        Args:
            steps: The steps that the episode has had.
            decisions: The replies that it has had.

        Returns:
            A sentence on each cap of which no more than half is left; `""` before.
        """
        units = ((self.steps, steps, "step", "steps"), (self.decisions, decisions, "reply", "replies"))
        low = [
            f"{most - used:,} {one if most - used == 1 else many}"
            for most, used, one, many in units
            if most is not None and 2 * used >= most
        ]
        return f"Left in this episode: {', '.join(low)}." if low else ""


def progress_note(spec: GameSpec, achievements: Iterable[object], text_format: TextFormat) -> str:
    """A note on the achievements of the episode.

    Args:
        spec: The game.
        achievements: For each of the game's, in order, whether it is unlocked: `info["achievements"]`.
        text_format: The format of the observation; where it lists the unlocked ones itself, the note does not.

    Returns:
        Which are done and which remain.
    """
    pairs = list(zip(spec.achievements, achievements, strict=True))
    done = [achievement.label for achievement, is_done in pairs if is_done]
    left = [achievement.label for achievement, is_done in pairs if not is_done]
    if not left:
        return f"All {len(done)} achievements are done."
    to_do = ", ".join(left)
    if "achievements" in text_format.sections:
        return f"Achievements still to do: {to_do}."
    names = f": {', '.join(done)}" if done else ""
    return f"Achievements done, {len(done)} of {len(spec.achievements)}{names}. Still to do: {to_do}."
