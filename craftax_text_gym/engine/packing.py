"""A pytree of many small arrays as a few larger ones, so that crossing the compiled boundary is cheap."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Arrays = tuple[jax.Array, ...]

_LARGE = 1024  # elements; the maps stay as they are, so that updates in place need no copy


class Packing:
    """Packs pytrees of one structure: large leaves as they are, small ones joined, one array a dtype.

    Packing also normalises: whatever comes in leaves with the template's dtypes and no weak types.
    """

    def __init__(self, template: Any) -> None:
        """Plan the packing.

        Args:
            template: A pytree of `jax.ShapeDtypeStruct` (as `jax.eval_shape` gives), unbatched.
        """
        leaves, structure = jax.tree.flatten(template)
        self._structure: Any = structure
        self._leaves: list[jax.ShapeDtypeStruct] = leaves
        self._large = [i for i, leaf in enumerate(leaves) if math.prod(leaf.shape) > _LARGE]
        small = [i for i in range(len(leaves)) if i not in self._large]
        dtypes = sorted({leaf.dtype.name for leaf in leaves})
        self._groups = [group for name in dtypes if (group := [i for i in small if leaves[i].dtype.name == name])]

    def pack(self, tree: Any, xp: Any = jnp) -> Arrays:
        """Pack one unbatched tree.

        Args:
            tree: A pytree of the template's structure and shapes.
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
            arrays: What `pack` gave.

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
        """Raise `ValueError` where a tree differs from the template in structure or shape, or a byte is too small.

        Args:
            tree: The tree that is about to enter.
        """
        structure = jax.tree.structure(tree)
        if structure != self._structure:
            raise ValueError(f"Expected a state of structure {self._structure}, got {structure}.")
        for leaf, template in zip(jax.tree.leaves(tree), self._leaves, strict=True):
            if jnp.shape(leaf) != template.shape:
                raise ValueError(
                    f"Expected every array of the state in its own shape, got {jnp.shape(leaf)} "
                    f"where {template.shape} belongs."
                )
            if template.dtype == np.uint8 and (np.min(leaf) < 0 or np.max(leaf) > 255):
                raise ValueError(
                    "Expected numbers of blocks and items, from 0 to 255, in the state's maps, "
                    f"got {np.min(leaf)} to {np.max(leaf)}."
                )
