from __future__ import annotations

from collections.abc import Iterator

import gymnasium as gym
import pytest

from craftax_text_gym.games import CLASSIC
from tests.evaluation import stub


@pytest.fixture
def stubbed() -> Iterator[None]:
    """A game without JAX in the place of Classic."""
    spec = gym.registry[CLASSIC.env_id]
    stub.install()
    yield
    gym.registry[CLASSIC.env_id] = spec
