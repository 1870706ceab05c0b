"""The size of the proofs: small in `make test`, the full counts in `make proof`."""

from __future__ import annotations

import os

IS_PROOF = bool(os.environ.get("CRAFTAX_TEXT_PROOF"))


def count(in_proof: int, in_test: int) -> int:
    """How often to try: `in_proof` times under `make proof`, else `in_test` times."""
    return in_proof if IS_PROOF else in_test
