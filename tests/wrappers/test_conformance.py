"""Every wrapper over both games keeps Gymnasium's rules, alone and in vector environments."""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils import RecordConstructorArgs
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker

from craftax_text_gym import wrappers
from craftax_text_gym.wrappers import vector
from tests.proof import crossed
from tests.subprocesses import IDS, plain
from tests.wrappers.stacks import SINGLE, VECTOR, make

RESERVED = {"episode", "final_obs", "final_info"}
MODES = list(AutoresetMode)

every_wrapper = pytest.mark.parametrize("name", SINGLE)
both_games = pytest.mark.parametrize("env_id", IDS)


def play(env: Any, num_steps: int, seed: int | None = 0) -> list[Any]:
    """Everything that an environment gives for actions drawn from its space, reset at each end."""
    env.action_space.seed(7)
    outputs = [env.reset(seed=seed)]
    for _ in range(num_steps):
        outputs.append(env.step(env.action_space.sample()))
        if outputs[-1][2] or outputs[-1][3]:
            outputs.append(env.reset())
    return outputs


def test_the_table_holds_every_wrapper() -> None:
    assert {name.split()[0] for name in SINGLE} >= set(wrappers.__all__)
    assert {name.split()[0] for name in VECTOR} >= set(vector.__all__)


@pytest.mark.parametrize(("name", "env_id", "obs_mode"), crossed(SINGLE, IDS, ("text", "both")))
def test_spaces_contain_all_and_infos_keep_their_types(name: str, env_id: str, obs_mode: str, tmp_path: Path) -> None:
    env = make(name, env_id, tmp_path, obs_mode=obs_mode)
    outputs = play(env, 15)
    kinds = {key: type(value) for key, value in outputs[0][1].items()}
    env.action_space.seed(7)
    assert all(env.action_space.contains(env.action_space.sample()) for _ in range(20))
    for output in outputs:
        info = output[-1]
        assert env.observation_space.contains(output[0])
        assert not any(key in RESERVED or key.startswith("_") for key in info)
        assert {key: type(info[key]) for key in kinds} == kinds
        if len(output) == 5:
            assert [type(part) for part in output[1:4]] == [float, bool, bool]
    env.close()


@every_wrapper
@both_games
def test_the_passive_checker_and_the_order_enforcer_have_no_complaint(name: str, env_id: str, tmp_path: Path) -> None:
    env: Any = OrderEnforcing(PassiveEnvChecker(make(name, env_id, tmp_path)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(env, 3)
        env.close()


@every_wrapper
@both_games
def test_equal_seeds_give_equal_episodes(name: str, env_id: str, tmp_path: Path) -> None:
    first, second = (make(name, env_id, folder_in(tmp_path, index)) for index in range(2))
    assert data_equivalence(play(first, 12, 5), play(second, 12, 5), exact=True)
    assert data_equivalence(play(first, 4, 6), play(second, 4, 6), exact=True)


def folder_in(folder: Path, index: int) -> Path:
    new = folder / str(index)
    new.mkdir()
    return new


@pytest.mark.parametrize(
    ("name", "env_id", "copier"), crossed(SINGLE, IDS, (copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))))
)
def test_copies_in_mid_episode_go_on_alike(name: str, env_id: str, copier: Any, tmp_path: Path) -> None:
    env = make(name, env_id, tmp_path)
    env.action_space.seed(3)
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.action_space.sample())
    twin = copier(env)
    for _ in range(3):
        action = env.action_space.sample()
        assert data_equivalence(env.step(action), twin.step(action), exact=True)


@every_wrapper
@both_games
def test_the_spec_rebuilds_the_stack_also_through_json(name: str, env_id: str, tmp_path: Path) -> None:
    env = make(name, env_id, tmp_path)
    layer: Any = env
    while layer is not env.unwrapped:
        assert issubclass(type(layer), RecordConstructorArgs)
        layer = layer.env
    expected = play(env, 4)
    env.close()
    for spec in (env.spec, EnvSpec.from_json(env.spec.to_json())):
        again = gym.make(spec)
        assert (str(again), again.spec) == (str(env), env.spec)
        assert data_equivalence(play(again, 4), expected, exact=True)
        again.close()


@pytest.mark.parametrize(("name", "env_id", "mode"), crossed(SINGLE, IDS, MODES))
def test_a_sync_vector_is_its_single_environments(name: str, env_id: str, mode: AutoresetMode, tmp_path: Path) -> None:
    folders = iter([folder_in(tmp_path, index) for index in range(4)])
    envs: Any = gym.make_vec(
        env_id,
        num_envs=2,
        vectorization_mode="sync",
        wrappers=[lambda env: SINGLE[name](env, next(folders))],
        vector_kwargs={"autoreset_mode": mode},
        max_episode_steps=3,
    )
    singles = [SINGLE[name](gym.make(env_id, max_episode_steps=3), next(folders)) for _ in range(2)]
    envs.single_action_space.seed(2)
    observations, infos = envs.reset(seed=0)
    expected: list[Any] = [single.reset(seed=seed) for seed, single in enumerate(singles)]
    over = [False, False]
    for _ in range(8):
        actions = tuple(envs.single_action_space.sample() for _ in range(2))
        given = np.array(actions) if isinstance(actions[0], np.integer) else actions
        observations, _, terminated, truncated, infos = envs.step(given)
        assert observations in envs.observation_space
        for index, single in enumerate(singles):
            if over[index] and mode is AutoresetMode.NEXT_STEP:
                expected[index], over[index] = single.reset(), False
            else:
                expected[index] = single.step(actions[index])
                over[index] = expected[index][2] or expected[index][3]
                assert over[index] == (terminated[index] or truncated[index])
            if over[index] and mode is AutoresetMode.SAME_STEP:
                assert infos["final_obs"][index] == expected[index][0]
                compare(infos["final_info"], index, expected[index][-1])
                expected[index], over[index] = single.reset(), False
            assert observations[index] == expected[index][0]
            compare(infos, index, expected[index][-1])
        if mode is AutoresetMode.DISABLED and any(over):
            observations, infos = envs.reset(options={"reset_mask": np.array(over)})
            for index in np.flatnonzero(over).tolist():
                expected[index], over[index] = singles[index].reset(), False
                assert observations[index] == expected[index][0]
                compare(infos, index, expected[index][-1])
    envs.close()


def compare(infos: dict[str, Any], index: int, info: dict[str, Any]) -> None:
    for key, value in info.items():
        if not isinstance(value, dict):
            assert infos[f"_{key}"][index]
            assert plain(infos[key][index]) == plain(value), key


@pytest.mark.parametrize(
    ("name", "env_id", "mode", "kind"), crossed(VECTOR, IDS, MODES, ("sync", "vector_entry_point"))
)
def test_vector_wrappers_keep_spaces_and_types_in_every_autoreset_mode(
    name: str, env_id: str, mode: AutoresetMode, kind: str, tmp_path: Path
) -> None:
    envs = VECTOR[name](make_vector(env_id, kind, mode, 3), tmp_path)
    assert envs.metadata["autoreset_mode"] is mode
    envs.action_space.seed(1)
    observations, infos = envs.reset(seed=0)
    kinds = {key: (value.dtype, value.shape) for key, value in infos.items()}
    ends = 0
    for _ in range(8):
        assert observations in envs.observation_space
        assert {key: (infos[key].dtype, infos[key].shape) for key in kinds} == kinds
        assert all(infos[key].all() for key in kinds if key.startswith("_"))
        observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
        assert rewards.dtype == np.float64
        over = terminated | truncated
        ends += int(over.sum())
        if mode is AutoresetMode.SAME_STEP and over.any():
            assert all(text in envs.single_observation_space for text in infos["final_obs"][over])
            assert {key for key in kinds if key[0] != "_"} <= set(infos["final_info"])
        if mode is AutoresetMode.DISABLED and over.any():
            options = {"reset_mask": over}
            observations, infos = envs.reset(options=options)
            assert options["reset_mask"] is over
    assert ends >= 4
    envs.close()


def make_vector(env_id: str, kind: str, mode: AutoresetMode, cap: int, **arguments: Any) -> Any:
    """Two games at once: Gymnasium's vector environment, or the package's own where there is one."""
    if kind == "sync":
        return gym.make_vec(
            env_id,
            num_envs=2,
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": mode},
            max_episode_steps=cap,
            **arguments,
        )
    if gym.spec(env_id).vector_entry_point is None:
        pytest.skip("The package has no vector environment of its own yet.")
    return gym.make_vec(env_id, num_envs=2, autoreset_mode=mode, max_episode_steps=cap, **arguments)
