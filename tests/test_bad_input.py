"""Wrong input is an error that names what was expected, and it changes nothing."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.env import CraftaxTextEnv
from tests.subprocesses import CLASSIC_ID, FULL_ID, IDS


@contextmanager
def nothing_changed(env: gym.Env[Any, Any]) -> Iterator[None]:
    """The game, the generator, the text and the info are as before."""

    def everything() -> tuple[Any, ...]:
        raw: Any = env.unwrapped
        snapshot = raw.snapshot()
        arrays = [array.tobytes() for array in snapshot.arrays]
        return arrays, raw.scene.data, raw.render(), snapshot.episode_seed, snapshot.np_random_state

    before = everything()
    yield
    assert everything() == before


@pytest.fixture(params=IDS)
def env(request: pytest.FixtureRequest) -> gym.Env[Any, Any]:
    made = gym.make(request.param, render_mode="ansi")
    made.reset(seed=0)
    made.step("noop")
    return made


# Actions

ACTIONS: list[tuple[Any, type[Exception], str]] = [
    ("gathered", ValueError, "got 'gathered'. The closest names: "),
    ("Left", ValueError, "got 'Left'. The closest names: left"),
    ("make_wood_pickax", ValueError, "The closest names: make_wood_pickaxe"),
    ("", ValueError, "got ''. The closest names: noop, left, right"),
    (" left ", ValueError, "The closest names: left"),
    ("3", ValueError, "got '3'"),
    (43, ValueError, "Expected an action from 0 to (16|42), got 43"),
    (10**30, ValueError, "Expected an action from 0 to (16|42), got 1"),
    (-1, ValueError, "Expected an action from 0 to (16|42), got -1"),
    (np.int64(-1), ValueError, "Expected an action from 0 to (16|42), got -1"),
    (np.uint8(255), ValueError, "Expected an action from 0 to (16|42), got 255"),
    (1.5, TypeError, "Expected an action as an int below (17|43) or a name such as '.+', got 1.5 of type float"),
    (1.0, TypeError, "got 1.0 of type float"),
    (np.float32(1), TypeError, "of type float32"),
    (True, TypeError, "got True of type bool"),
    (np.True_, TypeError, "of type bool"),
    (None, TypeError, "got None of type NoneType"),
    ([1], TypeError, r"got \[1\] of type list"),
    (("left",), TypeError, r"got \('left',\) of type tuple"),
    ({"action": 1}, TypeError, "of type dict"),
    (b"left", TypeError, "of type bytes"),
    (np.array([1]), TypeError, r"single action, got an array of shape \(1,\)"),
    (np.zeros((2, 2), int), TypeError, r"single action, got an array of shape \(2, 2\)"),
    (np.array(1.0), TypeError, "dtype float64"),
    (np.array("left"), TypeError, "single action, got an array of shape"),
    (np.array(True), TypeError, "dtype bool"),
]


@pytest.mark.parametrize(("action", "kind", "words"), ACTIONS, ids=lambda value: repr(value)[:20])
def test_a_wrong_action_is_refused(env: gym.Env[Any, Any], action: Any, kind: type[Exception], words: str) -> None:
    raw: Any = env.unwrapped
    with nothing_changed(env):
        for use in (env.step, raw.step, raw.explain):
            with pytest.raises(kind, match=words):
                use(action)


def test_no_wrong_action_becomes_noop_in_a_vector() -> None:
    envs: Any = gym.make_vec(CLASSIC_ID, num_envs=2, vectorization_mode="sync")
    envs.reset(seed=0)
    for actions in (np.array([0, 17]), np.array([-1, 0])):
        with pytest.raises(ValueError, match="Expected an action from 0 to 16"):
            envs.step(actions)


# Options


@pytest.mark.parametrize("options", [{"key": 1}, {"seed": 3}, {"reset_mask": None}, ["a"], 5])
def test_an_option_of_reset_is_refused(env: gym.Env[Any, Any], options: Any) -> None:
    with nothing_changed(env), pytest.raises(ValueError, match=r"Expected no options: reset\(\) takes none, got"):
        env.reset(seed=1, options=options)


@pytest.mark.parametrize("options", [None, {}])
def test_no_options_are_fine(env: gym.Env[Any, Any], options: Any) -> None:
    assert env.reset(seed=0, options=options)[1]["timestep"] == 0


# Arguments

Make = Callable[..., Any]


def by_class(env_id: str, **arguments: Any) -> Any:
    return CraftaxTextEnv(env_id, **arguments)


MAKERS = [gym.make, by_class]

ARGUMENTS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"text_format": "markdwn"}, ValueError, "Unknown text_format 'markdwn'. The closest choices: markdown"),
    ({"text_format": "zzz"}, ValueError, "Unknown text_format 'zzz'. The closest choices: .*markdown"),
    ({"text_format": None}, TypeError, "Expected text_format as a preset's name"),
    ({"text_format": 3}, TypeError, "Expected text_format as a preset's name"),
    ({"text_format": {"markups": "xml"}}, ValueError, "'markups'. The closest choices: markup"),
    ({"text_format": {"sections": ["statuss"]}}, ValueError, "'statuss'. The closest choices: status"),
    ({"text_format": {"sections": []}}, ValueError, "at least one"),
    ({"text_format": {"sections": "status"}}, TypeError, "Expected sections as a sequence of names"),
    ({"reveal": "position"}, TypeError, "Expected reveal as a sequence of names from .*'position'"),
    ({"reveal": None}, TypeError, "Expected reveal as a sequence of names"),
    ({"reveal": 1}, TypeError, "Expected reveal as a sequence of names"),
    ({"reveal": ["positions"]}, ValueError, "Unknown reveal 'positions'. The closest choices: position"),
    ({"reveal": ["position", 3]}, TypeError, "Expected reveal as one of .*, got 3 of type int"),
    ({"env_params": []}, TypeError, "Expected env_params as a mapping"),
    ({"env_params": "day_length"}, TypeError, "Expected env_params as a mapping"),
    ({"env_params": {"day_lenght": 5}}, ValueError, "'day_lenght'.*The closest fields: day_length"),
    ({"env_params": {"zzz": 5}}, ValueError, "'zzz'.*The closest fields: day_length"),
    ({"env_params": {5: 5}}, ValueError, "Unknown env_params field 5"),
    ({"env_params": {"max_timesteps": 5}}, ValueError, "max_episode_steps"),
    ({"env_params": {"fractal_noise_angles": (1, 2, 3, 4)}}, ValueError, "choose another seed"),
    ({"env_params": {"day_length": 5.0}}, TypeError, r"env_params\['day_length'\] as int, such as 300, got 5.0"),
    ({"env_params": {"day_length": "5"}}, TypeError, "as int, such as 300, got '5' of type str"),
    ({"env_params": {"day_length": True}}, TypeError, "as int, such as 300, got True of type bool"),
    ({"env_params": {"day_length": None}}, TypeError, "as int, such as 300, got None"),
    ({"env_params": {"day_length": np.array([5])}}, TypeError, "as int, such as 300, got"),
    ({"env_params": {"day_length": 0}}, ValueError, "of at least 1 and below 2\\*\\*31, got 0"),
    ({"env_params": {"day_length": -3}}, ValueError, "of at least 1 and below 2\\*\\*31, got -3"),
    ({"env_params": {"day_length": 2**31}}, ValueError, "below 2\\*\\*31"),
    ({"env_params": {"mob_despawn_distance": -1}}, ValueError, "of at least 0"),
    ({"env_params": {"always_diamond": 1}}, TypeError, "as bool, such as (True|False), got 1 of type int"),
    ({"env_params": {"always_diamond": "yes"}}, TypeError, "as bool"),
    ({"obs_mode": "txt"}, ValueError, "Unknown obs_mode 'txt'. The closest choices: text"),
    ({"obs_mode": "zzz"}, ValueError, "Unknown obs_mode 'zzz'. The closest choices: text, symbolic, both"),
    ({"obs_mode": None}, TypeError, r"Expected obs_mode as one of \('text', 'symbolic', 'both'\), got None"),
    ({"render_mode": "rgb"}, ValueError, "Unknown render_mode 'rgb'. The closest choices: rgb_array"),
    ({"render_mode": "zzz"}, ValueError, "Unknown render_mode 'zzz'. The closest choices: ansi, rgb_array"),
    ({"texts": "markdown"}, TypeError, "unexpected keyword argument 'texts'"),
]


@pytest.mark.parametrize("make", MAKERS, ids=["make", "class"])
@pytest.mark.parametrize(("arguments", "kind", "words"), ARGUMENTS, ids=lambda value: repr(value)[:40])
def test_a_wrong_argument_is_refused(make: Make, arguments: dict[str, Any], kind: type[Exception], words: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Gymnasium's own about a render mode it does not find
        for env_id in IDS:
            with pytest.raises(kind, match=re.compile(words, re.DOTALL)):
                make(env_id, **arguments)


@pytest.mark.parametrize("make", MAKERS, ids=["make", "class"])
def test_fields_of_the_other_games_parameters_are_refused(make: Make) -> None:
    with pytest.raises(ValueError, match="'god_mode' for Craftax-Classic"):
        make(CLASSIC_ID, env_params={"god_mode": True})
    with pytest.raises(ValueError, match="'zombie_health' for Craftax"):
        make(FULL_ID, env_params={"zombie_health": 5})
    with pytest.raises(ValueError, match=r"'spawn_cow_chance'\] of at least 0"):
        make(CLASSIC_ID, env_params={"spawn_cow_chance": -0.1})
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="'spawn_cow_chance'"):
            make(CLASSIC_ID, env_params={"spawn_cow_chance": wrong})


def test_an_unknown_game_is_refused() -> None:
    for game in ("craftax", "", None, 3):
        with pytest.raises(ValueError, match="Unknown game .* expected one of 'full', 'classic'"):
            CraftaxTextEnv(game)  # type: ignore[arg-type]


def test_human_rendering_is_not_the_raw_environments() -> None:
    with pytest.raises(ValueError, match="Unknown render_mode 'human'. The closest choices: "):
        CraftaxTextEnv("classic", render_mode="human")


@pytest.mark.parametrize("spec", games.ALL, ids=lambda spec: spec.key)
def test_every_parameter_may_be_set_in_any_right_type(spec: games.GameSpec) -> None:
    numpy = {bool: np.bool_, int: np.int32, float: np.float64}
    for param in spec.params:
        if param.name == "max_timesteps":
            continue
        for value in (param.default, numpy[param.kind](param.default)):
            checked = CraftaxTextEnv(spec.key, env_params={param.name: value}).env_params
            assert checked == {param.name: param.default}
            assert type(checked[param.name]) is param.kind
