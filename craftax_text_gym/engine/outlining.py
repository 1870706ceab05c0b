"""Outlining, the inverse of inlining: XLA compiles parts of a function apart (traced code).

On a CPU, XLA inlines every call, and its fusion then computes an operand anew wherever it is used. That makes the code
of a step several times as large, and so the time to compile and to load it, and the memory that it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.custom_batching import custom_vmap
from jax.experimental.xla_metadata import set_xla_metadata
from jax.extend import core

_PIECE_SIZE = 100
"""Equations in a piece; from 25 to 200 the code is equally small."""

Traced = Callable[..., Any]


def outline(function: Traced) -> Traced:
    """Keep XLA from inlining a function, on a CPU; on other devices XLA has no calls.

    Args:
        function: Takes and returns pytrees of arrays.

    Returns:
        The function; batching it by `jax.vmap` outlines the batched one.
    """
    if jax.default_backend() != "cpu":
        return function
    jitted = jax.jit(function)

    @custom_vmap
    def call(*args: Any) -> Any:
        with set_xla_metadata(inlineable="false"):  # type: ignore[no-untyped-call]
            return jitted(*args)

    @call.def_vmap
    def call_batched(axis_size: int, in_batched: Sequence[Any], *args: Any) -> tuple[Any, Any]:
        # JAX's own rule for a batched call would lose the metadata.
        axes = jax.tree.map(lambda is_batched: 0 if is_batched else None, tuple(in_batched))
        results = outline(jax.vmap(function, axes, axis_size=axis_size))(*args)
        return results, jax.tree.map(lambda _: True, results)

    return call


def in_pieces(function: Traced, *args: Any) -> Any:
    """Compute `function(*args)` in pieces that are outlined, so that nothing is fused across their borders.

    Args:
        function: Takes and returns pytrees of arrays.
        args: Its arguments.

    Returns:
        What the function returns.
    """
    closed, shapes = jax.make_jaxpr(function, return_shape=True)(*args)
    jaxpr, size = closed.jaxpr, _PIECE_SIZE
    values: dict[Any, Any] = dict(zip(jaxpr.constvars, closed.consts, strict=True))
    values |= zip(jaxpr.invars, jax.tree.leaves(args), strict=True)
    for start in range(0, len(jaxpr.eqns), size):
        later = [*(atom for eqn in jaxpr.eqns[start + size :] for atom in eqn.invars), *jaxpr.outvars]
        piece = _piece(jaxpr, jaxpr.eqns[start : start + size], later)
        results = outline(core.jaxpr_as_fun(core.ClosedJaxpr(piece, [])))(*(values[var] for var in piece.invars))
        values |= zip(piece.outvars, results, strict=True)
    leaves = [values[atom] if isinstance(atom, core.Var) else atom.val for atom in jaxpr.outvars]
    return jax.tree.unflatten(jax.tree.structure(shapes), leaves)


def _piece(jaxpr: core.Jaxpr, eqns: Sequence[Any], later: Sequence[Any]) -> core.Jaxpr:
    """Some of the equations as a function of what they read, which returns what is read later."""
    made = dict.fromkeys(var for eqn in eqns for var in eqn.outvars)
    read = dict.fromkeys(atom for eqn in eqns for atom in eqn.invars if isinstance(atom, core.Var) and atom not in made)
    needed = {atom for atom in later if isinstance(atom, core.Var)}
    results = [var for var in made if var in needed]
    parts: Any = {"constvars": [], "invars": list(read), "outvars": results, "eqns": list(eqns)}
    return jaxpr.replace(**parts)  # type: ignore[no-any-return,no-untyped-call]
