"""What is compiled of a game, and what of it the engine knows without Craftax."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.engine.core import get_engine
from tests.engine import upstream
from tests.worlds import GAMES


@pytest.mark.parametrize("key", GAMES)
def test_the_parameters_are_craftax_s_in_its_order(key: str) -> None:
    engine, params = get_engine(key), games.get(key).params
    values = {param.name: param.kind(param.default + 1 + i) for i, param in enumerate(params)}  # all are different
    theirs = upstream.environment(key).default_params
    assert engine.traced.env_params(engine.params({})) == jax.tree.map(np.asarray, theirs)
    assert engine.traced.env_params(engine.params(values)) == jax.tree.map(np.asarray, theirs.replace(**values))
    for ours, leaf in zip(engine.params({}), jax.tree.leaves(theirs), strict=True):
        assert ours.dtype == jax.numpy.asarray(leaf).dtype
        assert not ours.weak_type
