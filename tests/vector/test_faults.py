"""The native vector environment where something goes wrong: it says so, and a reset makes all whole again."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import Error, ResetNeeded
from gymnasium.vector import AutoresetMode

from craftax_text_gym.engine.batch import Batch
from craftax_text_gym.text import Body
from craftax_text_gym.vector.env import CraftaxTextVectorEnv
from craftax_text_gym.vector.views import Views
from tests.vector.making import NUM_ENVS, assert_same, make

CLASSIC = "CraftaxClassicText-v0"


def test_what_cannot_be_is_refused() -> None:
    impossible: list[dict[str, Any]] = [
        {"num_envs": 0},
        {"chunk_size": 0},
        {"num_threads": -1},
        {"max_episode_steps": 0},
    ]
    for arguments in impossible:
        with pytest.raises(ValueError, match="at least 1"):
            CraftaxTextVectorEnv("classic", **{"num_envs": 1, **arguments})
    with pytest.raises(ValueError, match="autoreset_mode"):
        CraftaxTextVectorEnv("classic", autoreset_mode="nextstep")
    envs = CraftaxTextVectorEnv("classic", num_envs=2)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0])
    with pytest.raises(ResetNeeded):
        envs.reset(options={"reset_mask": np.array([True, False])})
    for seed in (-1, "0", 1.5):
        with pytest.raises((Error, ValueError)):
            envs.reset(seed=seed)  # type: ignore[arg-type]
    for mask in ([True, False], np.array([1, 0]), np.zeros(2, bool), np.ones(3, bool)):
        with pytest.raises((TypeError, ValueError), match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="no options but"):
        envs.reset(options={"difficulty": 1})
    envs.close()
    envs.close()


def test_a_game_that_is_over_waits_for_its_reset() -> None:
    envs = make(CLASSIC, AutoresetMode.DISABLED, max_episode_steps=1)
    envs.reset(seed=0)
    assert envs.step([0] * NUM_ENVS)[3].all()
    with pytest.raises(ResetNeeded, match="reset_mask"):
        envs.step([0] * NUM_ENVS)
    envs.close()


class Failing:
    """A section that fails at the third step of a game."""

    title = "Failing"

    def __init__(self, spec: Any, text_format: Any) -> None:
        """Nothing to prepare."""

    def body(self, moment: Any) -> Body:
        if moment.scene.timestep == 3:
            raise ArithmeticError("the third step")
        return Body(["fine"])

    data = body


def test_a_fault_in_a_step_is_raised_and_a_reset_makes_all_whole_again() -> None:
    envs = make(CLASSIC, AutoresetMode.NEXT_STEP, text_format={"sections": ["tests.vector.test_faults:Failing"]})
    for _ in range(2):
        envs.reset(seed=0)
        for _ in range(2):
            envs.step([0] * NUM_ENVS)
        with pytest.raises(ArithmeticError, match="the third step"):
            envs.step([0] * NUM_ENVS)
        with pytest.raises(ResetNeeded):
            envs.step([0] * NUM_ENVS)
    envs.close()


def interrupt(monkeypatch: pytest.MonkeyPatch, place: type, name: str, after: int) -> None:
    """Have a method raise what Ctrl-C raises, once, after some calls that succeed."""
    method, calls = getattr(place, name), [0]

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        if calls[0] == after + 1:
            raise KeyboardInterrupt
        return method(*args, **kwargs)

    monkeypatch.setattr(place, name, interrupted)


SOME = np.array([True, False, True, True, True])
ACTS: dict[str, Callable[[CraftaxTextVectorEnv], object]] = {
    "step": lambda envs: envs.step([0] * NUM_ENVS),
    "reset of some": lambda envs: envs.reset(options={"reset_mask": SOME}),
    "reset of all": lambda envs: envs.reset(),
    "start": lambda envs: envs.reset(),
}
INTERRUPTIONS = [
    ("step", Views, "look", 0),
    ("step", Views, "look", 3),
    ("step", Batch, "step", 1),
    ("reset of some", Views, "look", 1),
    ("reset of some", Batch, "place", 0),
    ("reset of all", Views, "look", 4),
    ("reset of all", Batch, "place", 3),
    ("start", Batch, "__init__", 1),
]


def play(envs: CraftaxTextVectorEnv) -> tuple[Any, ...]:
    """A reset and some steps, in which the games end twice."""
    results: list[tuple[Any, ...]] = [envs.reset(seed=4)]
    for step in range(7):
        result = envs.step([(step + game) % 17 for game in range(NUM_ENVS)])
        results.append(result)
        if envs.autoreset_mode is AutoresetMode.DISABLED and result[3].any():
            results.append(envs.reset(options={"reset_mask": result[3]}))
    return tuple(results)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(("act", "place", "name", "after"), INTERRUPTIONS)
def test_an_interruption_is_raised_and_leaves_nothing_half_done(
    monkeypatch: pytest.MonkeyPatch, mode: AutoresetMode, act: str, place: type, name: str, after: int
) -> None:
    envs: Any = make(CLASSIC, mode, max_episode_steps=3).unwrapped
    expected = play(envs)
    envs.reset(seed=1)
    for _ in range(2 if act == "step" else 3):  # after the third all have ended, and the next step begins anew
        envs.step([0] * NUM_ENVS)
    if act == "start":
        envs.close_extras()
    with monkeypatch.context() as patch:
        interrupt(patch, place, name, after)
        with pytest.raises(KeyboardInterrupt):
            ACTS[act](envs)
    with pytest.raises(ResetNeeded):
        envs.step([0] * NUM_ENVS)
    with pytest.raises(ResetNeeded):
        envs.reset(options={"reset_mask": SOME})
    assert_same(play(envs), expected, "played again")
    envs.close()


@pytest.mark.parametrize("is_started", [False, True])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_it_is_neither_copied_nor_pickled(duplicate: Callable[[Any], Any], is_started: bool) -> None:
    envs = CraftaxTextVectorEnv("classic", num_envs=2)
    if is_started:
        envs.reset(seed=0)
    with pytest.raises(TypeError, match=r"gym\.make_vec and reset it with the same seeds"):
        duplicate(envs)
    envs.close()
