from __future__ import annotations

from collections.abc import Iterator

import pytest

from craftax_text_gym.vector import env
from tests.proof import IS_PROOF


@pytest.fixture(scope="session", autouse=True)
def one_batch_size() -> Iterator[None]:
    """Vector environments of any size play in batches of two, for each size of a batch is compiled by itself."""
    with pytest.MonkeyPatch.context() as patch:
        if not IS_PROOF:
            patch.setattr(env, "CPU_CHUNK_SIZE", 2)
        yield
