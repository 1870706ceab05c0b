"""Some games of one kind that are stepped together, on one device.

The methods return before their work is done, and JAX does it in the order of the calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.engine.core import Engine
from craftax_text_gym.engine.packing import Arrays


class Batch:
    """A batch of games, for one thread at a time.

    Every place must be given a world before the first step.
    """

    def __init__(self, engine: Engine, size: int, params: Arrays, device: jax.Device | None = None) -> None:
        """Begin to compile.

        Args:
            engine: The game's.
            size: The number of games.
            params: From `engine.params`.
            device: Where they are played; by default the first.
        """
        self._engine = engine
        self._size = size
        self._device = device or engine.device
        self._params: Arrays = jax.device_put(params, self._device)
        self._games: Arrays | None = None
        engine.prepare("reset")
        for name in ("step", "place"):
            engine.compiler.start(engine.plan(name, size, self._device))

    def place(self, index: int, world: Arrays) -> None:
        """Put a new world in the place of a game.

        Args:
            index: The game.
            world: From `engine.reset`.
        """
        world = world if self._device == self._engine.device else jax.device_put(world, self._device)
        if self._games is None:
            shape = (self._size,)
            self._games = tuple(jnp.zeros(shape + x.shape, x.dtype, device=self._device) for x in world)
        self._games = self._function("place")(self._games, np.int32(index), world)

    def step(self, control: NDArray[np.uint32]) -> jax.Array:
        """Play one step of every game.

        Args:
            control: uint32 `[size, 3]`: seed, action, bits of what is revealed; not to be changed afterwards.

        Returns:
            The packed rows, uint8 `[size, nbytes]`.
        """
        rows: jax.Array
        self._games, rows = self._function("step")(self._games, control, self._params)
        return rows

    def symbolic(self) -> jax.Array:
        """Upstream's symbolic observation of every game.

        Returns:
            float32 `[size, spec.symbolic_size]`.
        """
        symbolic: jax.Array = self._function("symbolic")(self._games)
        return symbolic

    def _function(self, name: str) -> Callable[..., Any]:
        key = (name, self._size, self._device.id)
        return self._engine.compiler.get(key, lambda: self._engine.plan(name, self._size, self._device))
