"""What a game's module gives to the engine."""

from __future__ import annotations

from typing import Any, Protocol

import jax

from craftax_text_gym.games.spec import GameSpec


class Game(Protocol):
    """A game of Craftax's: `engine.classic` or `engine.full`. States and parameters are Craftax's own, untyped.

    Attributes:
        SPEC: The game's facts.
        PARAMS: Craftax's `EnvParams`.
    """

    SPEC: GameSpec
    PARAMS: type[Any]

    def world(self, key: jax.Array, params: Any) -> Any:
        """The state at the beginning of an episode."""

    def as_upstream(self, state: Any) -> Any:
        """A state with upstream's own dtypes."""

    def advance(self, key: jax.Array, state: Any, action: jax.Array, params: Any) -> Any:
        """The state after a step."""

    def fast_advance(self, key: jax.Array, state: Any, action: jax.Array, params: Any) -> Any:
        """The same, only sooner; where `proved` allows it."""

    def symbolic(self, state: Any) -> jax.Array:
        """Upstream's symbolic observation, float32 `[spec.symbolic_size]`."""

    def is_inactive(self, state: Any) -> jax.Array:
        """Whether the engine will carry out noop whatever the action: bool scalar."""

    def achievement_rewards(self) -> jax.Array:
        """What each achievement pays, float32 `[achievements]`."""

    def view(self, state: Any, reveal: jax.Array) -> dict[str, Any]:
        """The fields of `layout.row_dtype` that depend on the state alone."""


def load(key: str) -> Game:
    """A game's module; importing it starts JAX.

    Args:
        key: `"classic"` or `"full"`.

    Returns:
        The module.
    """
    if key == "classic":
        from craftax_text_gym.engine import classic

        return classic
    from craftax_text_gym.engine import full

    return full
