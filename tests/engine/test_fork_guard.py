"""A process forked after JAX has started gets an error in place of a hang."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from craftax_text_gym.engine import core, fork_guard, jax_internals
from tests.playing import make
from tests.subprocesses import CLASSIC_ID, run

CURE = 'vector_kwargs={"context": "spawn"}'

FORK_AFTER_JAX = """
    import json, os, signal, sys, warnings
    warnings.simplefilter("ignore")
    import gymnasium as gym, craftax_text_gym
    import jax.numpy as jnp

    env_id = json.loads(sys.argv[1])
    env = gym.make(env_id)
    jnp.zeros(1) + 1  # JAX starts; no game has
    errors = []
    for grandchild in (False, True):
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            if grandchild and (inner := os.fork()):
                os.waitpid(inner, 0)
                os._exit(0)
            signal.alarm(20)  # a hang ends here, without a word
            try:
                env.reset(seed=0)
                os.write(writer, b"no error")
            except RuntimeError as error:
                os.write(writer, str(error).encode())
            os._exit(0)
        os.close(writer)
        errors.append(os.read(reader, 10_000).decode())
        os.waitpid(child, 0)

    signal.alarm(30)
    envs = gym.make_vec(env_id, num_envs=2, vectorization_mode="async", vector_kwargs={"context": "fork"})
    try:
        envs.reset(seed=0)
        errors.append("no error")
    except RuntimeError as error:
        errors.append(str(error))
    envs.close(terminate=True)
    print(json.dumps(errors))
"""

FORK_AFTER_VECTOR = """
    import json, os, signal, sys, warnings
    warnings.simplefilter("ignore")
    import gymnasium as gym, craftax_text_gym

    def make():
        return gym.make_vec(json.loads(sys.argv[1]), num_envs=2, max_episode_steps=2)

    def error_of(act):
        try:
            act()
        except RuntimeError as error:
            return str(error)
        return "no error"

    envs, other = make(), make()
    first = envs.reset(seed=0)[0]
    other.reset(seed=0)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(20)  # a hang ends here, without a word
        seen = envs.unwrapped.scenes[1].timestep
        acts = (lambda: envs.step([0, 0]), envs.reset, lambda: other.reset(seed=1), lambda: make().reset(seed=0))
        os.write(writer, json.dumps([seen, *map(error_of, acts)]).encode())
        envs.close(), other.close()
        os._exit(0)
    os.close(writer)
    answers = os.read(reader, 10_000).decode()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = [envs.step([0, 0])[0] for _ in range(4)]  # the parent plays on
    print(json.dumps([json.loads(answers), code, envs.reset(seed=0)[0] == first]))
"""

FORK_BEFORE_JAX = """
    import json, os, sys
    import gymnasium as gym, craftax_text_gym, jax

    env_id = json.loads(sys.argv[1])
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.write(writer, gym.make(env_id).reset(seed=0)[0].encode())
        os._exit(0)
    jax.numpy.zeros(1) + 1  # that the parent starts JAX later is nothing to the child
    os.close(writer)
    text = b""
    while part := os.read(reader, 10_000):
        text += part
    os.waitpid(child, 0)
    print(json.dumps([text.decode(), gym.make(env_id).reset(seed=0)[0]]))
"""


def test_a_process_forked_after_jax_started_gets_an_error_with_the_cure() -> None:
    errors = run(FORK_AFTER_JAX, CLASSIC_ID, timeout=60)
    assert len(errors) == 3
    assert all(CURE in error for error in errors), errors


def test_a_vector_in_a_forked_process_gives_the_error_and_the_parent_s_plays_on() -> None:
    (seen, *errors), code, plays_on = run(FORK_AFTER_VECTOR, CLASSIC_ID, timeout=120)
    assert (seen, code, plays_on) == (0, 0, True)
    assert len(errors) == 4
    assert all(CURE in error for error in errors), errors


def test_a_process_forked_before_jax_started_works() -> None:
    child, parent = run(FORK_BEFORE_JAX, CLASSIC_ID)
    assert child == parent
    assert child.startswith("## ")


def test_the_check_raises_only_where_the_fork_came_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    fork_guard.check()
    monkeypatch.setattr(jax_internals, "has_started", lambda: False)
    fork_guard._after_fork_in_child()
    fork_guard.check()
    monkeypatch.setattr(fork_guard, "_forked_after_start", False)
    monkeypatch.setattr(jax_internals, "has_started", lambda: True)
    fork_guard._after_fork_in_child()
    with pytest.raises(RuntimeError, match=r'vector_kwargs=\{"context": "spawn"\}'):
        fork_guard.check()


def test_every_use_of_a_game_in_a_hanging_process_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make(CLASSIC_ID, render_mode="ansi")
    text, _ = env.reset(seed=0)
    snapshot, state, pickled = env.snapshot(), env.state, pickle.dumps(env)
    monkeypatch.setattr(fork_guard, "_forked_after_start", True)

    def assign() -> None:
        env.state = state

    uses: list[Callable[[], Any]] = [
        env.reset,
        lambda: env.step(0),
        lambda: env.state,
        assign,
        env.snapshot,
        lambda: env.restore(snapshot),
        lambda: copy.deepcopy(env),
        lambda: pickle.loads(pickled),
        lambda: make(CLASSIC_ID, obs_mode="symbolic").reset(),
        lambda: core.Engine("classic"),
    ]
    for use in uses:
        with pytest.raises(RuntimeError, match=r'vector_kwargs=\{"context": "spawn"\}'):
            use()
    assert env.render() == text  # what is on the host already is no use of JAX
    monkeypatch.undo()
    assert not env.step(0)[2]
