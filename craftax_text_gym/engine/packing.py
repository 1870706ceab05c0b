"""A pytree of many small arrays as a few larger ones, because each array passed to a compiled function costs time."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Arrays = tuple[jax.Array, ...]

_LARGE = 1024  # elements; above it, such as a map: an array of its own is updated in place, without a copy


class Packing:
    """Packs pytrees of one structure: large leaves stay as they are, small ones are joined into one array per dtype.

    Packing also normalises: the arrays have the template's dtypes and no weak types, whatever those of the tree.
    """

    def __init__(self, template: Any) -> None:
        """Plan the packing.

        Args:
            template: An unbatched pytree of `jax.ShapeDtypeStruct`, such as `jax.eval_shape` returns.
        """
        leaves, structure = jax.tree.flatten(template)
        self._structure: Any = structure
        self._leaves: list[jax.ShapeDtypeStruct] = leaves
        self._large = [i for i, leaf in enumerate(leaves) if math.prod(leaf.shape) > _LARGE]
        small = [i for i in range(len(leaves)) if i not in self._large]
        dtypes = sorted({leaf.dtype.name for leaf in leaves})
        self._groups = [group for name in dtypes if (group := [i for i in small if leaves[i].dtype.name == name])]

    def pack(self, tree: Any, xp: Any = jnp) -> Arrays:
        """Pack an unbatched tree.

        Args:
            tree: A pytree with the template's structure and shapes.
            xp: `jax.numpy` for traced code; `numpy` is faster where nothing is traced.

        Returns:
            The large leaves, then one vector for each dtype.
        """
        leaves = [
            xp.asarray(leaf, template.dtype) for leaf, template in zip(jax.tree.leaves(tree), self._leaves, strict=True)
        ]
        joined = [xp.concatenate([leaves[i].ravel() for i in group]) for group in self._groups]
        return (*(leaves[i] for i in self._large), *joined)

    def unpack(self, arrays: Arrays) -> Any:
        """Undo `pack`.

        Args:
            arrays: What `pack` returned.

        Returns:
            The tree.
        """
        leaves: list[Any] = [None] * len(self._leaves)
        for index, array in zip(self._large, arrays, strict=False):
            leaves[index] = array
        for group, vector in zip(self._groups, arrays[len(self._large) :], strict=True):
            start = 0
            for index in group:
                shape = self._leaves[index].shape
                size = math.prod(shape)
                leaves[index] = vector[start : start + size].reshape(shape)
                start += size
        return jax.tree.unflatten(self._structure, leaves)

    def check(self, tree: Any) -> None:
        """Check that a tree fits the template.

        Args:
            tree: The pytree to check.

        Raises:
            ValueError: If its structure or a shape differs, or a number does not fit into a byte where a byte holds it.
        """
        structure = jax.tree.structure(tree)
        if structure != self._structure:
            raise ValueError(f"Expected a state of structure {self._structure}, got {structure}.")
        for leaf, template in zip(jax.tree.leaves(tree), self._leaves, strict=True):
            if jnp.shape(leaf) != template.shape:
                raise ValueError(
                    f"Expected the shapes of the game's own state, got {jnp.shape(leaf)} in place of {template.shape}."
                )
            if template.dtype == np.uint8 and (np.min(leaf) < 0 or np.max(leaf) > 255):
                raise ValueError(
                    "Expected the numbers of blocks and items in the state's maps to be from 0 to 255, "
                    f"got {np.min(leaf)} to {np.max(leaf)}."
                )
