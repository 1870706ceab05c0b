"""The engine as the judge of what an action does: the whole state after it against the whole state after noop."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.engine.core import get_engine
from tests.proof import count

KEYS = count(8, 2)
"""Step keys judged at once."""


class Oracle:
    """Plays every action of a game in a state, under several keys, in one compiled call."""

    def __init__(self, key: str) -> None:
        self.engine = get_engine(key)
        self.spec = self.engine.spec
        self._game: Any = import_module(f"craftax_text_gym.engine.{key}")
        self._judge = jax.jit(self._judge_traced)
        self._template = jax.eval_shape(
            lambda seed: self._game.world(jax.random.PRNGKey(seed), self._game.PARAMS()), jnp.uint32(0)
        )

    def judge(
        self, state: Any, first_key: int = 0, params: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Play every action.

        Returns:
            bool `[KEYS, num_actions]`, whether the state after the action differs from that after noop, the random
            key aside; float32 `[KEYS]`, the health that noop leaves before it heals.
        """
        typed = jax.tree.map(lambda leaf, value: np.asarray(value, leaf.dtype), self._template, state)
        keys = jax.vmap(jax.random.PRNGKey)(jnp.arange(first_key, first_key + KEYS))
        changed, health = self._judge(typed, keys, self.engine.params(params or {}))
        if params and params.get("god_mode"):  # which undoes every hit
            _, health = self._judge(typed, keys, self.engine.params({**params, "god_mode": False}))
        return np.asarray(changed), np.asarray(health)

    def _judge_traced(self, state: Any, keys: jax.Array, params: Any) -> tuple[jax.Array, jax.Array]:
        actions = jnp.arange(len(self.spec.actions))

        def under(key: jax.Array) -> tuple[jax.Array, jax.Array]:
            after = jax.vmap(lambda action: self._play(key, state, action, params))(actions)
            noop = jax.tree.map(lambda leaf: leaf[0], after)
            changed = _differs(after, noop)
            if self.spec.key == "classic":
                # Classic's `do` first revives every creature that wandered off with health left; so it is compared
                # with noop after the same revival.
                do = self.spec.action_index["do"]
                revived = self._play(key, _revive(state), actions[0], params)
                revived = revived.replace(
                    light_level=noop.light_level
                )  # the clock's alone; an ulp off outside the batch
                changed = changed.at[do].set(_differs(jax.tree.map(lambda leaf: leaf[do : do + 1], after), revived)[0])
            healed = (state.player_recover > 20) & (noop.player_recover == 0)  # last, after whatever hit
            return changed, noop.player_health.astype(jnp.float32) - healed

        changed, health = jax.lax.map(under, keys)
        return changed, health

    def _play(self, key: jax.Array, state: Any, action: jax.Array, params: Any) -> Any:
        after = self._game.advance(key, state, action, self.engine.traced.env_params(params))
        return after.replace(state_rng=jnp.zeros(2))


def _revive(state: Any) -> Any:
    groups = {name: getattr(state, name) for name in ("zombies", "cows", "skeletons")}

    def revived(mobs: Any) -> jax.Array:
        return jnp.where(state.is_sleeping, mobs.mask, mobs.health > 0)

    return state.replace(**{name: mobs.replace(mask=revived(mobs)) for name, mobs in groups.items()})


def _differs(batch: Any, one: Any) -> jax.Array:
    leaves = zip(jax.tree.leaves(batch), jax.tree.leaves(one), strict=True)
    return jnp.stack([(many != single).reshape(len(many), -1).any(axis=1) for many, single in leaves]).any(axis=0)


@lru_cache
def get_oracle(key: str) -> Oracle:
    return Oracle(key)
