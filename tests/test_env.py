"""The environment: seeds, infos, copies, snapshots, ends, and what the player may and may not know."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from craftax.craftax.envs.craftax_symbolic_env import CraftaxSymbolicEnvNoAutoReset
from craftax.craftax_classic.envs.craftax_symbolic_env import CraftaxClassicSymbolicEnvNoAutoReset
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence

from craftax_text_gym import TextFormat, games
from craftax_text_gym.availability import reasons as availability
from craftax_text_gym.engine import core, fork_guard
from craftax_text_gym.engine.cache import CACHE_ENV_VAR
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.observation.layout import DARK, LIT_THRESHOLD, REVEALABLE
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.writer import get_writer
from tests import proof
from tests.compilations import compilations
from tests.subprocesses import CLASSIC_ID, FULL_ID, IDS, actions_of, plain, transcript
from tests.worlds import GAMES, SLOTS, edited_states, floor_of, played_states, scene_of, to_numpy

RIGHT = 2


def make(env_id: str, **arguments: Any) -> Any:
    """The environment without wrappers."""
    return gym.make(env_id, **arguments).unwrapped


def play(env: Any, num_steps: int, seed: int | None = 0) -> list[Any]:
    """All outputs of random play; ends where an episode does."""
    outputs = [] if seed is None else [env.reset(seed=seed)]
    for action in actions_of(env, num_steps, seed or 0):
        outputs.append(env.step(action))
        if outputs[-1][2]:
            break
    return outputs


def same(first: Any, second: Any) -> bool:
    return bool(data_equivalence(first, second, exact=True))


def fingerprint(env: Any) -> tuple[Any, ...]:
    """All of an environment's game and generator."""
    snapshot = env.snapshot()
    arrays = [array.tobytes() for array in snapshot.arrays]
    return arrays, env.scene.data, env._text(), plain(env._info()), snapshot.np_random_state


def edit(env: Any, **fields: Any) -> None:
    """Replace fields of the game's state."""
    env.state = env.state.replace(**fields)


def face(env: Any, block: str, direction: int = RIGHT) -> None:
    """Put a block before the player, and nobody else into the world."""
    spec, state = env.game, to_numpy(env.state)
    row, column = state.player_position + np.array(OFFSETS[direction])
    state.map[floor_of(spec, state)][row, column] = spec.block_index[block]
    if spec.key == "full":
        state.item_map[floor_of(spec, state)][row, column] = 0
    for slots in SLOTS[spec.key]:
        getattr(state, slots.field).mask[:] = False
    state.mob_map[:] = False
    env.state = state.replace(player_direction=np.int32(direction))


DYING = {
    "player_food": np.int32(0),
    "player_drink": np.int32(0),
    "player_energy": np.int32(0),
    "player_recover": np.float32(-15),
}
"""Fields that cost a point of health in the next step."""


def about_to_die(env: Any) -> None:
    face(env, "grass")
    health = np.float32(1) if env.game.key == "full" else np.int32(1)
    inventory = env.state.inventory.replace(wood=np.int32(9))
    edit(env, player_health=health, inventory=inventory, **DYING)


# Seeds


@pytest.mark.parametrize("env_id", IDS)
def test_a_seed_fixes_the_world_and_the_worlds_after_it(env_id: str) -> None:
    env, other = make(env_id), make(env_id)
    first = [env.reset(seed=5), env.reset(), env.reset()]
    assert same(first, [env.reset(seed=5), env.reset(), env.reset()])
    assert same(first, [other.reset(seed=5), other.reset(), other.reset()])
    assert len({info["episode_seed"] for _, info in first}) == 3
    assert not same(first[0][0], env.reset(seed=6)[0])


@pytest.mark.parametrize("env_id", IDS)
def test_the_episode_seed_replays_the_episode(env_id: str) -> None:
    env, other = make(env_id), make(env_id)
    env.reset(seed=1)
    first = env.reset()
    episode = [first, *play(env, 40, seed=None)]
    seed = first[1]["episode_seed"]
    assert 0 <= seed < 2**32
    assert same(episode, [other.reset(seed=seed), *play(other, 40, seed=None)])


def test_environments_without_a_seed_differ() -> None:
    envs = [make(CLASSIC_ID) for _ in range(4)]
    assert len({env.reset()[1]["episode_seed"] for env in envs}) == 4


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1])
def test_a_seed_below_the_limit_is_the_episode_seed(seed: int) -> None:
    assert make(CLASSIC_ID).reset(seed=seed)[1]["episode_seed"] == seed


@pytest.mark.parametrize("seed", [2**32, 2**32 + 1, 2**64 + 5, 10**40])
def test_a_larger_seed_is_folded_by_numpys_seed_sequence(seed: int) -> None:
    env = make(CLASSIC_ID)
    first, info = env.reset(seed=seed)
    assert info["episode_seed"] == int(np.random.SeedSequence(seed).generate_state(1)[0])
    assert type(info["episode_seed"]) is int
    assert env.np_random_seed == seed
    assert make(CLASSIC_ID).reset(seed=info["episode_seed"])[0] == first


def test_a_bool_seed_gives_an_int() -> None:
    info = make(CLASSIC_ID).reset(seed=True)[1]
    assert type(info["episode_seed"]) is int


@pytest.mark.parametrize("seed", [-1, 1.0, "1", np.int64(1), [1]])
def test_a_wrong_seed_fails_as_gymnasiums_own_and_changes_nothing(seed: Any) -> None:
    env = make(CLASSIC_ID)
    env.reset(seed=0)
    before = fingerprint(env)
    with pytest.raises(gym.error.Error, match="Seed must be"):
        env.reset(seed=seed)
    assert fingerprint(env) == before


@pytest.mark.parametrize("env_id", IDS)
def test_the_keys_of_the_steps_differ(env_id: str) -> None:
    env = make(env_id)
    env.reset(seed=0)
    face(env, "grass")
    state = env.state
    found = []
    for timestep in range(300):
        env.state = state.replace(timestep=np.int32(timestep))
        env.step("do")
        found.append(int(env.state.inventory.sapling))
    assert 10 <= sum(found) <= 60
    timestep = found.index(1)
    for _ in range(3):
        env.state = state.replace(timestep=np.int32(timestep))
        env.step("do")
        assert int(env.state.inventory.sapling) == 1


# What reset and step give

INFO_TYPES = {
    "episode_seed": int,
    "timestep": int,
    "executed_action": int,
    "achievements": np.ndarray,
    "new_achievements": tuple,
    "action_mask": np.ndarray,
    "reward_achievements": float,
    "reward_health": float,
    "end_reason": str,
}


def assert_well_typed(env: Any, observation: Any, info: dict[str, Any]) -> None:
    assert observation in env.observation_space
    assert {key: type(value) for key, value in info.items()} == INFO_TYPES
    assert (info["achievements"].dtype, info["achievements"].shape) == (bool, (len(env.game.achievements),))
    assert (info["action_mask"].dtype, info["action_mask"].shape) == (np.int8, (len(env.game.actions),))
    assert set(info["action_mask"].tolist()) <= {0, 1}
    assert set(info["new_achievements"]) <= set(env.game.achievement_keys)


@pytest.mark.parametrize("obs_mode", ["text", "symbolic", "both"])
@pytest.mark.parametrize("env_id", IDS)
def test_long_random_play_stays_in_the_spaces_with_stable_types(env_id: str, obs_mode: str) -> None:
    env = make(env_id, obs_mode=obs_mode)
    observation, info = env.reset(seed=2)
    assert_well_typed(env, observation, info)
    assert (info["timestep"], info["executed_action"], info["new_achievements"]) == (0, -1, ())
    unlocked, timestep = info["achievements"], 0
    for action in actions_of(env, proof.count(20_000, 500 if obs_mode == "text" else 100)):
        observation, reward, terminated, truncated, info = env.step(action)
        assert_well_typed(env, observation, info)
        assert (type(reward), type(terminated), truncated) == (float, bool, False)
        timestep += 1
        assert info["timestep"] == timestep
        assert info["executed_action"] in (action, 0)
        new = np.flatnonzero(info["achievements"] & ~unlocked)
        assert info["new_achievements"] == tuple(env.game.achievement_keys[index] for index in new)
        assert reward == pytest.approx(info["reward_achievements"] + info["reward_health"], abs=1e-6)
        assert bool(info["end_reason"]) is terminated
        unlocked = info["achievements"]
        if terminated:
            observation, info = env.reset()
            assert_well_typed(env, observation, info)
            unlocked, timestep = info["achievements"], 0
            assert not unlocked.any()


@pytest.mark.parametrize("env_id", IDS)
def test_what_was_returned_may_be_changed_without_effect(env_id: str) -> None:
    env, other = make(env_id, obs_mode="both"), make(env_id, obs_mode="both")
    expected = play(other, 15)
    kept = copy.deepcopy(expected)
    output: Any = env.reset(seed=0)
    for action in [*actions_of(env, 15), None]:
        assert same(output, kept.pop(0))
        before = fingerprint(env)
        observation, info = output[0], output[-1]
        observation["symbolic"][:] = 7
        info["achievements"][:] = True
        info["action_mask"][:] = 9
        info.clear()
        observation.clear()
        assert fingerprint(env) == before
        output = None if action is None else env.step(action)
    assert same(expected, play(other, 15))


@pytest.mark.parametrize("env_id", IDS)
def test_the_symbolic_observation_is_upstreams(env_id: str) -> None:
    env = make(env_id, obs_mode="symbolic")
    upstream = CraftaxSymbolicEnvNoAutoReset() if env_id == FULL_ID else CraftaxClassicSymbolicEnvNoAutoReset()
    get_obs = jax.jit(upstream.get_obs)
    engine = get_engine(env.game.key)
    observations = [env.reset(seed=0)[0]]
    for state in [*played_states(env.game.key)[:10], *edited_states(env.game.key, proof.count(1_000, 10), seed=5)]:
        expected = np.asarray(get_obs(jax.tree.map(jnp.asarray, state))).astype(np.float32)
        env.state = state
        np.testing.assert_array_equal(engine.symbolic(engine.from_state(state)), expected)
        snapshot = env.snapshot()
        np.testing.assert_array_equal(env.restore(snapshot)[0], expected)
    for action in actions_of(env, 10):
        if env.scene.dead or env.scene.boss_defeated:
            env.reset()
        observations.append(env.step(action)[0])
        np.testing.assert_array_equal(observations[-1], np.asarray(get_obs(env.state)).astype(np.float32))


@pytest.mark.parametrize("max_attribute", [0, 5, 30])
def test_the_symbolic_space_holds_what_the_attributes_allow(max_attribute: int) -> None:
    env = make(FULL_ID, obs_mode="symbolic", env_params={"max_attribute": max_attribute})
    env.reset(seed=0)
    level = np.int32(max(1, max_attribute))
    edit(env, player_intelligence=level, player_mana=np.int32(6 + 3 * level), sword_enchantment=np.int32(2))
    observation = env.restore(env.snapshot())[0]
    assert observation in env.observation_space
    assert np.isfinite(env.observation_space.high).all()


@pytest.mark.parametrize("env_id", IDS)
def test_both_is_text_and_symbolic(env_id: str) -> None:
    envs = {mode: make(env_id, obs_mode=mode) for mode in ("text", "symbolic", "both")}
    episodes = {mode: [output[0] for output in play(env, 10)] for mode, env in envs.items()}
    for text, symbolic, both in zip(*episodes.values(), strict=True):
        assert both["text"] == text
        np.testing.assert_array_equal(both["symbolic"], symbolic)


@pytest.mark.parametrize("env_id", IDS)
def test_names_and_numbers_of_actions_play_alike(env_id: str) -> None:
    env = make(env_id)
    kinds: list[Callable[[int], Any]] = [int, env.game.actions.__getitem__, np.int32, np.int64, np.array]
    episodes = []
    for kind in kinds:
        env.reset(seed=0)
        episodes.append([env.step(kind(action)) for action in actions_of(env, 20)])
    assert all(same(episode, episodes[0]) for episode in episodes)


@pytest.mark.parametrize("env_id", IDS)
def test_explain_agrees_with_the_mask(env_id: str) -> None:
    env = make(env_id)
    info = env.reset(seed=0)[1]
    for action in actions_of(env, 20):
        for index, available in enumerate(info["action_mask"]):
            reason = env.explain(index)
            assert (reason is None) == bool(available)
            assert reason == env.explain(env.game.actions[index])
        info = env.step(action)[-1]


# Copies and snapshots


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("env_id", IDS)
def test_a_copy_has_the_same_future_and_shares_nothing(env_id: str, duplicate: Callable[[Any], Any]) -> None:
    env = gym.make(env_id, obs_mode="both", max_episode_steps=25)
    transcript(env, seed=3, num_steps=10)
    raw: Any = env.unwrapped
    before = fingerprint(raw)
    other = duplicate(env)
    assert fingerprint(other.unwrapped) == before
    assert other.unwrapped.game is raw.game
    future = [other.step(action) for action in actions_of(env, 15, seed=1)]
    future.append(other.reset())
    assert fingerprint(raw) == before
    third = duplicate(env)
    expected = [env.step(action) for action in actions_of(env, 15, seed=1)]
    expected.append(env.reset())  # type: ignore[arg-type]
    assert same(future, expected)
    assert future[14][3]  # the time limit, which the copy has too
    assert same([*(third.step(action) for action in actions_of(env, 15, seed=1)), third.reset()], expected)


def test_an_unused_environment_can_be_copied() -> None:
    env = make(CLASSIC_ID)
    other = pickle.loads(pickle.dumps(env))
    assert other.reset(seed=0)[0] == copy.deepcopy(env).reset(seed=0)[0]
    other.close()
    assert copy.deepcopy(other).reset(seed=0)[0] == env.reset(seed=0)[0]


@pytest.mark.parametrize("env_id", IDS)
def test_a_snapshot_has_the_same_future_every_time_and_everywhere(env_id: str) -> None:
    env = make(env_id)
    play(env, 12, seed=4)
    now = (env._observation(), env._info())
    snapshot = env.snapshot()
    frozen = pickle.dumps(snapshot)
    future = [*play(env, 15, seed=None), env.reset()]
    other = make(env_id, render_mode="ansi")
    for target in (env, env, other, other):
        for stored in (snapshot, pickle.loads(frozen)):
            assert same(target.restore(stored), now)
            assert same([*play(target, 15, seed=None), target.reset()], future)
    assert pickle.dumps(snapshot) == frozen


def test_a_snapshot_of_another_game_or_other_settings_is_refused() -> None:
    env = make(CLASSIC_ID)
    env.reset(seed=0)
    before = fingerprint(env)
    for other in (
        make(FULL_ID),
        make(CLASSIC_ID, reveal=("position",)),
        make(CLASSIC_ID, env_params={"day_length": 100}),
    ):
        other.reset(seed=1)
        with pytest.raises(ValueError, match="Expected a snapshot of 'classic'"):
            env.restore(other.snapshot())
    for wrong in (None, env.scene.data, env.state):
        with pytest.raises(TypeError, match=r"Expected what snapshot\(\) gave"):
            env.restore(wrong)
    assert fingerprint(env) == before


@pytest.mark.parametrize("env_id", IDS)
def test_the_state_is_a_copy_and_may_be_replaced(env_id: str) -> None:
    env = make(env_id)
    play(env, 5)
    arrays, state = fingerprint(env)[0], env.state
    env.state = state
    assert fingerprint(env)[0] == arrays
    expected = play(env, 10, seed=None)
    assert not any(leaf.is_deleted() for leaf in jax.tree.leaves(state))
    env.state = state
    assert same(play(env, 10, seed=None), expected)
    env.state = jax.tree.map(np.asarray, state)
    assert same(play(env, 10, seed=None), expected)
    wide = jax.tree.map(lambda leaf: np.asarray(leaf, np.float64 if leaf.dtype.kind == "f" else leaf.dtype), state)
    env.state = wide.replace(player_food=int(state.player_food), timestep=np.int64(state.timestep))
    assert same(play(env, 10, seed=None), expected)


@pytest.mark.parametrize("env_id", IDS)
def test_a_state_of_another_kind_is_refused_and_changes_nothing(env_id: str) -> None:
    env, other = make(env_id), make(IDS[1 - IDS.index(env_id)])
    env.reset(seed=0)
    other.reset(seed=0)
    before = fingerprint(env)
    for state in (other.state, None, env.state.replace(map=env.state.map[..., 1:]), env.snapshot()):
        with pytest.raises(ValueError, match="Expected"):
            env.state = state
    assert fingerprint(env) == before


# Ends


@pytest.mark.parametrize("env_id", IDS)
def test_death_and_its_achievements_belong_to_the_episode_that_ended(env_id: str) -> None:
    env = make(env_id)
    env.reset(seed=0)
    about_to_die(env)
    timestep = env.scene.timestep
    text, reward, terminated, truncated, info = env.step("place_table")
    assert (terminated, truncated, info["end_reason"]) == (True, False, "death")
    assert "place_table" in info["new_achievements"]
    assert info["achievements"].tolist() == [key in info["new_achievements"] for key in env.game.achievement_keys]
    assert info["timestep"] == timestep + 1
    assert reward == pytest.approx(len(info["new_achievements"]) - 0.1, abs=1e-6)
    assert env.scene.dead
    before = fingerprint(env)
    for _ in range(2):
        with pytest.raises(ResetNeeded, match="episode is over"):
            env.step("noop")
    assert fingerprint(env) == before
    new_text, info = env.reset()
    assert new_text != text
    assert (info["timestep"], info["executed_action"], info["end_reason"]) == (0, -1, "")
    assert (info["new_achievements"], info["achievements"].any()) == ((), False)
    assert (info["reward_achievements"], info["reward_health"]) == (0.0, 0.0)
    assert not env.step("noop")[2]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_vector_hands_over_the_end_of_each_episode(mode: str) -> None:
    envs: Any = gym.make_vec(
        CLASSIC_ID,
        num_envs=2,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
    )
    envs.reset(seed=0)
    about_to_die(envs.envs[1].unwrapped)
    single = copy.deepcopy(envs.envs[1])
    expected = single.step("place_table")
    texts, _, terminated, _, infos = envs.step(np.array([0, envs.single_action_space.index_of("place_table")]))
    assert terminated.tolist() == [False, True]
    last = infos["final_info"] if mode == "SameStep" else infos
    assert last["end_reason"][1] == "death"
    assert last["new_achievements"][1] == ("place_table",)
    assert (infos["final_obs"] if mode == "SameStep" else texts)[1] == expected[0]
    if mode == "Disabled":
        return
    after = single.reset()
    if mode == "NextStep":
        texts, rewards, terminated, _, infos = envs.step(np.array([0, 5]))
        assert (rewards[1], terminated[1]) == (0.0, False)
    assert texts[1] == after[0]
    assert (infos["timestep"][1], infos["executed_action"][1], infos["end_reason"][1]) == (0, -1, "")


def test_lava_kills_in_classic() -> None:
    env = make(CLASSIC_ID)
    env.reset(seed=0)
    face(env, "lava")
    assert env.explain("right") is None
    _, _, terminated, _, info = env.step("right")
    assert (terminated, info["end_reason"], env.scene.health) == (True, "death", 0.0)


def test_lava_blocks_in_the_full_game() -> None:
    env = make(FULL_ID)
    env.reset(seed=0)
    face(env, "lava")
    position = env.state.player_position.tolist()
    assert env.explain("right") is not None
    _, _, terminated, _, info = env.step("right")
    assert (terminated, info["end_reason"]) == (False, "")
    assert env.state.player_position.tolist() == position


@pytest.mark.parametrize("inactive", ["is_sleeping", "is_resting"])
@pytest.mark.parametrize("env_id", IDS)
def test_while_asleep_or_resting_noop_is_carried_out(env_id: str, inactive: str) -> None:
    if env_id == CLASSIC_ID and inactive == "is_resting":
        inactive = "is_sleeping"
    env = make(env_id)
    env.reset(seed=0)
    face(env, "grass")
    edit(env, **{inactive: np.bool_(True)}, player_energy=np.int32(3), player_health=env.state.player_health - 3)
    position = env.state.player_position.tolist()
    info = env.step("left")[-1]
    assert info["executed_action"] == 0
    assert env.state.player_position.tolist() == position
    assert info["action_mask"].tolist() == [1] + [0] * (len(env.game.actions) - 1)
    assert env.explain("left") in ("you are asleep", "you are resting")


@pytest.mark.parametrize("env_id", IDS)
def test_going_to_sleep_is_carried_out_and_then_noop(env_id: str) -> None:
    env = make(env_id)
    env.reset(seed=0)
    face(env, "grass")
    edit(env, player_energy=np.int32(2))
    sleep = env.game.action_index["sleep"]
    assert env.step("sleep")[-1]["executed_action"] == sleep
    assert env.scene.sleeping
    assert env.step("sleep")[-1]["executed_action"] == 0


def test_the_last_blow_to_the_boss_wins_the_game() -> None:
    env = make(FULL_ID)
    env.reset(seed=0)
    edit(env, player_level=np.int32(8), boss_progress=np.int32(7), boss_timesteps_to_spawn_this_round=np.int32(0))
    face(env, "necromancer")
    assert env.scene.boss_vulnerable
    _, reward, terminated, truncated, info = env.step("do")
    assert (terminated, truncated, info["end_reason"]) == (True, False, "boss_defeated")
    assert set(info["new_achievements"]) >= {"damage_necromancer", "defeat_necromancer"}
    assert reward == pytest.approx(8 * len(info["new_achievements"]), abs=1e-5)
    with pytest.raises(ResetNeeded, match="episode is over"):
        env.step("do")
    assert env.reset()[1]["end_reason"] == ""


# What the player cannot see


def unseen(spec: games.GameSpec, state: Any) -> Any:
    """bool, as the maps: where the player sees nothing."""
    floor, rows, columns = floor_of(spec, state), spec.window[0] // 2, spec.window[1] // 2
    row, column = state.player_position
    hidden = np.ones(state.map.shape, bool)
    window = np.s_[max(0, row - rows) : row + rows + 1, max(0, column - columns) : column + columns + 1]
    hidden[floor][window] = state.light_map[floor][window] <= LIT_THRESHOLD if spec.key == "full" else False
    return hidden


def change_hidden_facts(spec: games.GameSpec, state: Any, rng: np.random.Generator) -> Any:
    """Another state of which the player sees exactly the same."""
    state = to_numpy(state)
    hidden = unseen(spec, state)
    state.map[hidden] = rng.integers(len(spec.blocks), size=hidden.sum())
    state.mob_map[hidden] = rng.random(hidden.sum()) < 0.1
    if spec.key == "full":
        state.item_map[hidden] = rng.integers(4, size=hidden.sum())
        dark = hidden & (state.light_map <= LIT_THRESHOLD)
        beyond = hidden.copy()
        beyond[state.player_level] &= state.light_map[state.player_level] > 2  # this floor's light stays as it is
        state.light_map[beyond] = rng.random(beyond.sum())
        state.light_map[dark & ~beyond] = rng.uniform(0, LIT_THRESHOLD, (dark & ~beyond).sum())
    for slots in SLOTS[spec.key]:
        change_mobs(spec, state, slots.field, slots.headings, hidden, rng)
    state.growing_plants_age[:] = rng.integers(1_000, size=state.growing_plants_age.shape)
    state.growing_plants_positions[:] = rng.permutation(state.growing_plants_positions)
    state.state_rng[:] = rng.integers(2**32, size=state.state_rng.shape, dtype=np.uint32)
    counters = {"player_hunger": 25, "player_thirst": 20, "player_fatigue": 30, "player_recover": 25}
    changes: dict[str, Any] = {name: np.float32(rng.uniform(0, limit)) for name, limit in counters.items()}
    if spec.key == "full":
        state.potion_mapping[:] = rng.permutation(6)
        state.chests_opened[:] = rng.random(state.chests_opened.shape) < 0.5
        for ladders in (state.down_ladders, state.up_ladders):
            ladders[:] = rng.integers(spec.map_size[0], size=ladders.shape)
        is_open = state.monsters_killed >= spec.kills_to_open
        state.monsters_killed[:] = np.where(
            is_open, rng.integers(8, 40, size=is_open.shape), rng.integers(8, size=is_open.shape)
        )
        wait = state.boss_timesteps_to_spawn_this_round
        changes |= {
            "player_recover_mana": np.float32(rng.uniform(0, 30)),
            "boss_progress": np.int32(rng.integers(8) if state.boss_progress < 8 else 8),
            "boss_timesteps_to_spawn_this_round": np.int32(rng.integers(1, 9) if wait > 0 else -rng.integers(9)),
        }
    return state.replace(**changes)


def change_mobs(
    spec: games.GameSpec, state: Any, field: str, headings: str | None, hidden: Any, rng: np.random.Generator
) -> None:
    mobs, floor = getattr(state, field), floor_of(spec, state)
    mobs.health[:] = rng.integers(1, 30, size=mobs.health.shape)
    mobs.attack_cooldown[:] = rng.integers(9, size=mobs.attack_cooldown.shape)
    there = np.argwhere(hidden[floor])
    positions, mask = mobs.position[floor], mobs.mask[floor]
    for slot in range(len(mask)):
        if mask[slot] and not hidden[floor][tuple(positions[slot])]:
            continue
        if mask[slot]:  # a creature nobody sees: elsewhere, but there, for the boss hides behind the living
            positions[slot] = there[rng.integers(len(there))]
        else:
            positions[slot] = rng.integers(spec.map_size[0], size=2)
        if headings:
            getattr(state, headings)[floor][slot] = OFFSETS[rng.integers(1, 5)]
        if spec.key == "full":
            mobs.type_id[floor][slot] = rng.integers(3)
    if spec.key == "full":
        for other in range(len(spec.floors)):
            if other != floor:
                mobs.mask[other] = rng.random(mobs.mask[other].shape) < 0.5
                mobs.position[other] = rng.integers(spec.map_size[0], size=mobs.position[other].shape)


@pytest.mark.parametrize("key", GAMES)
def test_hidden_facts_change_neither_text_nor_mask_nor_reason(key: str) -> None:
    engine = get_engine(key)
    rng = np.random.default_rng(0)
    writers = [get_writer(engine.spec, TextFormat(map=way)) for way in ("both", "list")]
    changed = 0
    for state in edited_states(key, proof.count(3_000, 120), seed=3):
        first, second = scene_of(engine, state), scene_of(engine, change_hidden_facts(engine.spec, state, rng))
        assert first.data == second.data
        masks = [availability.action_mask(engine.spec, scene.rows)[0] for scene in (first, second)]
        assert masks[0].tolist() == masks[1].tolist()
        assert availability.explain_all(first) == availability.explain_all(second)
        for writer in writers:
            texts = [writer.write(Moment(scene, mask)) for scene, mask in zip((first, second), masks, strict=True)]
            assert texts[0] == texts[1]
        changed += bool((np.asarray(state.map) != change_hidden_facts(engine.spec, state, rng).map).any())
    assert changed == proof.count(3_000, 120)


@pytest.mark.parametrize("key", GAMES)
def test_the_changed_facts_are_hidden_from_upstreams_observation_too(key: str) -> None:
    engine = get_engine(key)
    rng = np.random.default_rng(1)
    for state in edited_states(key, 30, seed=4):
        other = change_hidden_facts(engine.spec, state, rng)
        # Upstream lets one that is out of view, or gone, erase a creature in view.
        mobs = {slots.field: getattr(state, slots.field) for slots in SLOTS[key]}
        first, second = (engine.symbolic(engine.from_state(facts)) for facts in (state, other.replace(**mobs)))
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("key", GAMES)
def test_reveal_shows_exactly_the_named_facts_and_truly(key: str) -> None:
    engine = get_engine(key)
    spec = engine.spec
    fields = {fact: fact for fact in REVEALABLE}
    seen = set()
    rng = np.random.default_rng(0)
    for state in edited_states(key, proof.count(1_000, 60), seed=6):
        state = with_plants(spec, state, rng)
        hidden = scene_of(engine, state)
        for bit, fact in enumerate(REVEALABLE):
            scene = scene_of(engine, state, reveal=1 << bit)
            names = {name for name in scene.row.dtype.names or () if scene.field(name) != hidden.field(name)}
            assert names <= {fields[fact]}
            seen |= names
            assert (scene.position is not None) is (fact == "position")
            assert (scene.kills is not None) is (fact == "kills" and key == "full")
            assert (scene.potion_effects is not None) is (fact == "potion_effects" and key == "full")
            if fact not in ("plant_age", "mob_health"):
                assert scene.plant_ages == {}
                assert all(thing.health is None for thing in scene.things)
        assert_true(spec, state, scene_of(engine, state, reveal=31))
    assert seen == set(REVEALABLE) - ({"kills", "potion_effects"} if key == "classic" else set())


def with_plants(spec: games.GameSpec, state: Any, rng: np.random.Generator) -> Any:
    """Some plants of every age in and out of view; the full game's grow on its first floor only."""
    if spec.key == "full" and rng.random() < 0.5:
        state = state.replace(player_level=np.int32(0))
    positions = state.player_position + rng.integers(-6, 7, size=state.growing_plants_positions.shape)
    state.growing_plants_positions[:] = np.clip(positions, 0, np.array(spec.map_size) - 1)
    state.growing_plants_age[:] = rng.integers(900, size=state.growing_plants_age.shape)
    _, first = np.unique(state.growing_plants_positions, axis=0, return_index=True)
    state.growing_plants_mask[:] = np.isin(np.arange(len(positions)), first) & (rng.random(len(positions)) < 0.8)
    floor = 0 if spec.key == "full" else ...
    for row, column in state.growing_plants_positions:
        kinds = ("plant", "ripe_plant", "grass")
        state.map[floor][row, column] = spec.block_index[kinds[rng.integers(3)]]
    return state


def assert_true(spec: games.GameSpec, state: Any, scene: Any) -> None:
    floor, (row, column) = floor_of(spec, state), state.player_position
    assert scene.position == (row, column)
    mobs = [
        (getattr(state, slots.field), slot)
        for slots in SLOTS[spec.key]
        for slot in range(state_slots(spec, state, slots))
    ]
    expected = []
    for group, slot in mobs:
        position = group.position[floor][slot]
        down, right = position - state.player_position
        inside = abs(down) <= spec.window[0] // 2 and abs(right) <= spec.window[1] // 2
        if group.mask[floor][slot] and inside and not unseen(spec, state)[floor][tuple(position)]:
            expected.append((down, right, float(group.health[floor][slot])))
    creatures = [(thing.down, thing.right, thing.health) for thing in scene.things if thing.mob]
    assert creatures == expected[: len(creatures)]
    if spec.key == "full":
        assert scene.kills == state.monsters_killed[floor]
        effects = (("health", 8), ("health", -3), ("mana", 8), ("mana", -3), ("energy", 8), ("energy", -3))
        assert list(scene.potion_effects.items()) == [
            (colour, effects[number]) for colour, number in zip(spec.potions, state.potion_mapping, strict=True)
        ]
    plants = {spec.block_index["plant"], spec.block_index["ripe_plant"]}
    ages = {}
    if floor in (..., 0):
        for (r, c), age, alive in zip(
            state.growing_plants_positions, state.growing_plants_age, state.growing_plants_mask, strict=True
        ):
            down, right = int(r - row), int(c - column)
            inside = abs(down) <= spec.window[0] // 2 and abs(right) <= spec.window[1] // 2
            if alive and inside and not unseen(spec, state)[floor][r, c] and state.map[floor][r, c] in plants:
                ages[down, right] = int(age)
    assert scene.plant_ages == ages


def state_slots(spec: games.GameSpec, state: Any, slots: Any) -> int:
    return len(getattr(state, slots.field).mask[floor_of(spec, state)])


@pytest.mark.parametrize("env_id", IDS)
def test_revealed_facts_are_given_by_the_environment_and_by_default_none(env_id: str) -> None:
    hidden, shown = make(env_id), make(env_id, reveal=reversed(REVEALABLE))
    assert (hidden.reveal, shown.reveal) == ((), REVEALABLE)
    hidden.reset(seed=0)
    shown.reset(seed=0)
    for action in actions_of(hidden, 10):
        assert hidden.scene.position is None
        assert hidden.scene.kills is None
        assert all(thing.health is None for thing in hidden.scene.things)
        assert shown.scene.position == tuple(shown.state.player_position.tolist())
        hidden.step(action)
        shown.step(action)
        assert same(hidden._info(), shown._info())


# One compilation, one transfer


def test_the_counter_of_compilations_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_ENV_VAR, "off")
    with compilations() as events:
        jax.jit(lambda x: x * 3 + 17)(jnp.arange(5))
    assert events
    engine = core.Engine("classic")
    with compilations() as events:
        game, _ = engine.reset(0, engine.params({}))
        engine.step(game, 0, 0, engine.params({}))
    assert events
    with compilations() as events:
        engine.reset(1, engine.params({"always_diamond": False}))
    assert not events


def everything(env_id: str) -> None:
    """All ways in which a state or an action enters."""
    env = make(env_id)
    env.reset(seed=0)
    for action in (1, np.int32(1), np.int64(1), np.array(1), env.game.actions[1]):
        env.step(action)
    env.reset()
    env.reset(seed=2**40)
    snapshot = env.snapshot()
    env.restore(snapshot)
    env.step(2)
    env.restore(pickle.loads(pickle.dumps(snapshot)))
    env.step(2)
    copy.deepcopy(env).step(3)
    pickle.loads(pickle.dumps(env)).step(4)
    env.state = env.state
    env.step(5)
    env.state = to_numpy(env.state).replace(player_food=7, timestep=np.int64(3), player_drink=jnp.int32(5))
    env.step(5)
    env.explain(3)
    make(env_id, env_params={"day_length": 200}, reveal=("position",)).reset(seed=3)


@pytest.mark.parametrize("env_id", IDS)
def test_nothing_is_compiled_twice(env_id: str) -> None:
    everything(env_id)
    with compilations() as events:
        everything(env_id)
    assert events == []


def test_a_game_is_two_compilations_whatever_enters(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = core.Engine("classic")
    monkeypatch.setattr(core, "get_engine", lambda _: engine)
    env = make(CLASSIC_ID)
    env.reset(seed=0)
    env.step(0)
    with compilations() as events:
        for seed in (1, 2**40, None):
            other = make(CLASSIC_ID, env_params={"always_diamond": False, "spawn_cow_chance": 0.5})
            other.reset(seed=seed)
            for action in (1, np.int32(1), np.int64(1), "left"):
                other.step(action)
    assert events == []


@pytest.mark.parametrize("env_id", IDS)
def test_a_step_and_a_reset_are_one_transfer(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = make(env_id)
    transfers = []

    def to_host(buffer: Any) -> Any:
        assert isinstance(buffer, jax.Array)
        transfers.append((buffer.dtype, buffer.shape))
        return np.asarray(buffer)

    monkeypatch.setattr(core, "to_host", to_host)
    expected = (np.dtype(np.uint8), (get_engine(env.game.key).dtype.itemsize,))
    for count in range(1, 5):
        env.reset(seed=count)
        env.step(1)
        env.scene.things  # noqa: B018
        env.explain(2)
        assert transfers == [expected] * 2 * count


@pytest.mark.parametrize("env_id", IDS)
def test_nothing_reaches_the_host_beside_that_transfer(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    donor, env = make(env_id), make(env_id)
    rows: list[Any] = []
    outputs: list[Any] = []
    for _ in range(2):
        outputs.append(donor.step(RIGHT) if outputs else donor.reset(seed=7))
        rows.append(np.frombuffer(donor.scene.data, np.uint8))
    monkeypatch.setattr(core, "to_host", lambda _: rows.pop(0))
    given = [env.reset(seed=8), env.step(RIGHT)]
    for *output, info in given:
        *expected, expected_info = outputs.pop(0)
        assert same(output, expected)
        assert same({**info, "episode_seed": 7}, expected_info)


@pytest.mark.parametrize("key", GAMES)
def test_a_compiled_step_gives_the_state_and_one_array_of_bytes(key: str) -> None:
    engine = get_engine(key)
    params = engine.params({})
    game, buffer = engine.reset(0, params)
    after, buffer = engine.step(game, 0, 0, params)
    assert (buffer.dtype, buffer.shape) == (jnp.uint8, (engine.dtype.itemsize,))
    assert game[0].is_deleted()
    assert not any(array.is_deleted() for array in after)


# The user's settings

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


# Forks


def test_every_use_of_a_game_in_a_hanging_process_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make(CLASSIC_ID)
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
    assert env._observation() == text  # what is on the host already is no use of JAX
    monkeypatch.undo()
    assert not env.step(0)[2]


def test_dark_tiles_are_told_as_dark() -> None:
    engine = get_engine("full")
    state = to_numpy(played_states("full")[0])
    state.light_map[:] = 0
    scene = scene_of(engine, state)
    assert (scene.blocks == DARK).all()
    assert scene.things == ()
