"""The user's settings of JAX change nothing in a game, and the game changes none of them."""

from __future__ import annotations

import copy
from typing import Any

import jax
import pytest

from craftax_text_gym.engine import core
from tests import proof
from tests.playing import make, play, same
from tests.subprocesses import CLASSIC_ID, transcript

OTHER_SETTINGS: tuple[dict[str, Any], ...] = (
    {
        "jax_enable_x64": True,
        "jax_default_prng_impl": "rbg",
        "jax_threefry_partitionable": False,
        "jax_debug_nans": True,
        "jax_numpy_dtype_promotion": "strict",
        "jax_numpy_rank_promotion": "raise",
        "jax_debug_key_reuse": True,
        "jax_random_seed_offset": 7,
    },
    {"jax_disable_jit": True, "jax_default_prng_impl": "unsafe_rbg", "jax_legacy_prng_key": "error"},
)


@pytest.mark.parametrize(
    "settings",
    [*OTHER_SETTINGS, *({name: value} for group in OTHER_SETTINGS for name, value in group.items() if proof.IS_PROOF)],
    ids=lambda settings: "+".join(settings),
)
def test_the_users_settings_change_nothing_and_stay(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    expected = transcript(make(CLASSIC_ID, obs_mode="both"), num_steps=80)
    engine = core.Engine("classic")
    monkeypatch.setattr(core, "get_engine", lambda _: engine)
    before = dict(jax.config.values)
    try:
        for name, value in settings.items():
            jax.config.update(name, value)  # type: ignore[no-untyped-call]
        changed = dict(jax.config.values)
        env = make(CLASSIC_ID, obs_mode="both")
        assert transcript(env, num_steps=80) == expected
        env.state = env.state
        snapshot = env.snapshot()
        future = env.step(1)
        env.restore(snapshot)
        assert same(copy.deepcopy(env).step(1), future)
        assert dict(jax.config.values) == changed
    finally:
        for name in settings:
            jax.config.update(name, before[name])  # type: ignore[no-untyped-call]
    assert dict(jax.config.values) == before


def test_a_game_goes_on_after_the_users_settings_change() -> None:
    env, other = make(CLASSIC_ID), make(CLASSIC_ID)
    env.reset(seed=0)
    other.reset(seed=0)
    expected = play(env, 20, seed=None)
    with jax.enable_x64(True), jax.default_prng_impl("rbg"), jax.disable_jit(True), jax.debug_nans(True):
        assert same(play(other, 20, seed=None), expected)
        other.state = other.state
        other.restore(other.snapshot())
        assert same(
            [leaf.dtype for leaf in jax.tree.leaves(other.state)], [x.dtype for x in jax.tree.leaves(env.state)]
        )
        assert same(other.reset(seed=1), env.reset(seed=1))
