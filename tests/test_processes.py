"""What only a fresh process shows: what importing starts, and that every process plays the same game."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

from tests import proof
from tests.subprocesses import CLASSIC_ID, FULL_ID, IDS, Echo, batch_transcript, run, transcript

QUIET = """
    import json, os, sys, warnings
    warnings.simplefilter("error")
    import gymnasium as gym
    environ = dict(os.environ)
    modules = set(sys.modules)
    env = gym.make(json.loads(sys.argv[1])[0])
    import craftax_text_gym
    assert "craftax_text_gym:CraftaxText-v0" == json.loads(sys.argv[1])[0] and env.unwrapped.game.key == "full"
    for env_id in json.loads(sys.argv[2]):
        for arguments in ({}, {"obs_mode": "both", "render_mode": "rgb_array", "env_params": {"day_length": 50}}):
            env = gym.make(env_id, **arguments)
            env.action_space.sample(), env.observation_space.sample(), repr(env), env.spec.to_json()
            env.close()
        gym.make_vec(env_id, num_envs=2, vectorization_mode="sync").close()
    started = sorted({name.partition(".")[0] for name in set(sys.modules) - modules} & {"jax", "jaxlib", "craftax"})
    changed = [dict(os.environ) != environ]

    warnings.simplefilter("ignore")  # JAX's and Craftax's own
    import jax
    from tests.subprocesses import transcript
    environ, settings = dict(os.environ), dict(jax.config.values)  # JAX itself sets variables
    played = transcript(gym.make(json.loads(sys.argv[2])[0]))
    changed += [dict(os.environ) != environ, dict(jax.config.values) != settings]
    print(json.dumps([started, changed, played]))
"""

HOSTILE = """
    import json, sys, warnings
    warnings.simplefilter("ignore")
    import jax
    for name, value in json.loads(sys.argv[1]).items():
        jax.config.update(name, value)
    settings = dict(jax.config.values)
    import gymnasium as gym, craftax_text_gym
    from tests.subprocesses import transcript
    played = [transcript(gym.make(env_id)) for env_id in json.loads(sys.argv[2])]
    print(json.dumps([dict(jax.config.values) == settings, played]))
"""

CRAFTAX_UNDER_X64 = """
    import json, os, sys, warnings
    warnings.simplefilter("ignore")
    import jax
    jax.config.update("jax_enable_x64", True)
    import craftax.craftax.envs.craftax_symbolic_env, craftax.craftax_classic.envs.craftax_symbolic_env
    import gymnasium as gym, craftax_text_gym
    from tests.subprocesses import transcript
    classic, full = json.loads(sys.argv[1])
    played = transcript(gym.make(classic))
    os.environ["CRAFTAX_TEXT_CACHE"] = "off"  # what is on disk would play as well
    try:
        transcript(gym.make(full))
    except RuntimeError as error:
        print(json.dumps([played, str(error)]))
"""

ASYNC = """
    import json, sys, warnings
    warnings.simplefilter("ignore")
    import gymnasium as gym, craftax_text_gym
    from tests.subprocesses import Echo, batch_transcript

    context, env_id, combinations = map(json.loads, sys.argv[1:])
    if context == "fork":
        import flax, jax  # imported is not started
    def make(shared_memory, copy, obs_mode):
        kwargs = {"context": context, "shared_memory": shared_memory, "copy": copy}
        if obs_mode == "echo":
            return gym.vector.AsyncVectorEnv([Echo] * 3, **kwargs)
        return gym.make_vec(f"craftax_text_gym:{env_id}", num_envs=2, vectorization_mode="async",
                            vector_kwargs=kwargs, obs_mode=obs_mode, max_episode_steps=5)

    vectors = [make(*combination) for combination in combinations]
    played = []
    for envs in vectors:
        played.append(batch_transcript(envs))
        envs.close()
    assert not craftax_text_gym.engine.jax_internals.has_started()
    print(json.dumps(played))
"""


def test_importing_and_making_start_no_jax_and_change_nothing() -> None:
    started, changed, played = run(QUIET, [f"craftax_text_gym:{FULL_ID}"], [CLASSIC_ID, FULL_ID])
    assert started == []
    assert changed == [False, False, False]
    assert played == transcript(gym.make(CLASSIC_ID))


@pytest.mark.parametrize("env_ids", [IDS] if not proof.IS_PROOF else [IDS, IDS[::-1]])
def test_another_process_under_other_settings_plays_the_same_games(env_ids: tuple[str, ...]) -> None:
    settings = {
        "jax_enable_x64": True,
        "jax_default_prng_impl": "rbg",
        "jax_threefry_partitionable": False,
        "jax_debug_nans": True,
        "jax_numpy_dtype_promotion": "strict",
        "jax_numpy_rank_promotion": "raise",
        "jax_random_seed_offset": 3,
    }
    stayed, played = run(HOSTILE, settings, env_ids)
    assert stayed
    assert played == [transcript(gym.make(env_id)) for env_id in env_ids]


def test_craftax_imported_under_x64_before_us_plays_the_same_or_is_a_clear_error() -> None:
    played, error = run(CRAFTAX_UNDER_X64, IDS)
    assert played == transcript(gym.make(CLASSIC_ID))
    assert "Craftax was imported while jax_enable_x64 was on" in error


def expected_batches(combination: tuple[bool, bool, str]) -> list[Any]:
    _, _, obs_mode = combination
    if obs_mode == "echo":
        return batch_transcript(gym.vector.SyncVectorEnv([Echo] * 3))[0]
    arguments: dict[str, Any] = {"obs_mode": obs_mode, "max_episode_steps": 5}
    return batch_transcript(gym.make_vec(CLASSIC_ID, num_envs=2, vectorization_mode="sync", **arguments))[0]


FLAGS = [(True, True), (True, False), (False, True), (False, False)]
ECHOES = [(*flags, "echo") for flags in FLAGS]
FEW = {
    "fork": [*ECHOES, (True, False, "both"), (False, True, "text")],
    "spawn": [(True, False, "echo"), (True, True, "both")],
}
ALL = [(*flags, obs_mode) for flags in FLAGS for obs_mode in ("text", "both", "symbolic")]


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_an_async_vector_is_the_sync_one_string_for_string(context: str) -> None:
    combinations = [*ECHOES, *ALL] if proof.IS_PROOF else FEW[context]
    played = run(ASYNC, context, CLASSIC_ID, combinations, timeout=900)
    for combination, (at_once, at_the_end) in zip(combinations, played, strict=True):
        _, copied, _ = combination
        expected = expected_batches(combination)
        assert at_once == expected, combination
        if copied:
            assert at_the_end == expected, combination
