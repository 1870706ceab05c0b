"""The size of the proofs: small in `make test`, the full counts in `make proof`."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable
from typing import Any

IS_PROOF = bool(os.environ.get("CRAFTAX_TEXT_PROOF"))


def count(in_proof: int, in_test: int) -> int:
    """How often to try: `in_proof` times under `make proof`, else `in_test` times."""
    return in_proof if IS_PROOF else in_test


def crossed(*axes: Iterable[Any], allowed: Callable[..., bool] = lambda *_: True) -> list[tuple[Any, ...]]:
    """Combinations of one value from each axis, for `pytest.mark.parametrize`.

    Under `make proof` these are all; else few, in which any two values of different axes still meet.
    """
    everything = [values for values in itertools.product(*map(tuple, axes)) if allowed(*values)]
    return everything if IS_PROOF else _pairwise(everything)


def _pairwise(combinations: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Greedily: first the combinations in which the most pairs are new."""
    met: set[tuple[int, Any, int, Any]] = set()
    chosen = []
    num_axes = len(combinations[0])
    for least_new in range(num_axes * (num_axes - 1) // 2, 0, -1):
        for values in combinations:
            pairs = {(i, a, j, b) for (i, a), (j, b) in itertools.combinations(enumerate(values), 2)}
            if len(pairs - met) >= least_new:
                met |= pairs
                chosen.append(values)
    return chosen
