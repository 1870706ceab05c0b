from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.wrappers import TimeLimit
from PIL import Image, ImageSequence

from craftax_text_gym.agents import RandomAgent
from craftax_text_gym.recording import film, replay, stack, trajectory
from craftax_text_gym.recording.replay import ReplayDifferenceError
from craftax_text_gym.recording.stack import ReplayRefusedError
from craftax_text_gym.rendering import frames
from craftax_text_gym.wrappers import ActionSequence, RecordTrajectory, StepCap, TextActions
from tests import subprocesses
from tests.proof import IS_PROOF, count

EPISODES = count(50, 3)
CLASSIC_ID, FULL_ID = subprocesses.IDS


def record(env: gym.Env[Any, Any], folder: Path, seed: int, frames: bool = False) -> Path:
    """Record an episode of random play."""
    recorder = RecordTrajectory(env, folder, frames)
    agent = RandomAgent()
    agent.reset(seed)
    observation, info = recorder.reset(seed=seed)
    ended = False
    while not ended:
        observation, _, terminated, truncated, info = recorder.step(agent.act(observation, info))
        ended = terminated or truncated
    assert recorder.path is not None
    return recorder.path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(gym.make(CLASSIC_ID, max_episode_steps=25), tmp_path_factory.mktemp("recorded"), 11)


def edited(path: Path, line: int, **changes: Any) -> trajectory.Trajectory:
    lines = [json.loads(entry) for entry in path.read_text().splitlines()]
    lines[line].update(changes)
    copy = path.with_suffix(".edited")
    copy.write_text("".join(json.dumps(entry) + "\n" for entry in lines))
    return trajectory.read(copy)


def test_the_file_holds_the_episode(path: Path) -> None:
    told = trajectory.read(path)
    env = gym.make(CLASSIC_ID, max_episode_steps=25)
    observation, info = env.reset(seed=11)
    assert told.start == {"kind": "reset", "t": 0, "text": observation}
    assert len(told.steps) == 25
    for line in told.steps:
        observation, reward, terminated, truncated, info = env.step(line["action"])
        assert line == {
            "kind": "step",
            "t": info["timestep"],
            "action": line["action"],
            "reward": reward,
            "text": observation,
            "achievements": list(info["new_achievements"]),
            "terminated": terminated,
            "truncated": truncated,
            "end_reason": info["end_reason"],
        }
    assert told.header["max_episode_steps"] == 25
    assert told.header["seed"] == 11
    assert told.record is not None
    assert (told.record.length, told.record.end_reason) == (25, "step_cap")
    assert re.fullmatch(r"classic-11-[0-9a-f]{12}\.jsonl", path.name)


def test_recorded_episodes_are_identical_in_a_fresh_process(tmp_path: Path) -> None:
    ids = [CLASSIC_ID, FULL_ID] if IS_PROOF else [CLASSIC_ID]
    envs = [gym.make(env_id, max_episode_steps=200) for env_id in ids]
    paths = [str(record(envs[seed % len(envs)], tmp_path, seed)) for seed in range(EPISODES)]
    program = """
    import json, sys
    from craftax_text_gym.recording import replay, trajectory
    recorded = [trajectory.read(path) for path in json.loads(sys.argv[1])]
    assert "jax" not in sys.modules
    print(json.dumps([replay.check(told) for told in recorded]))
    """
    steps = subprocesses.run(program, paths, timeout=600)
    assert steps == [len(trajectory.read(told).steps) for told in paths]
    print(f"\nreplay: {len(paths)} episodes of {sum(steps)} steps are identical in a fresh process")


def test_a_stack_of_wrappers_is_built_again(tmp_path: Path) -> None:
    env: Any = gym.make(CLASSIC_ID, text_format="compact", reveal=["position"], env_params={"always_diamond": True})
    env = StepCap(TextActions(ActionSequence(env, max_actions=4), on_invalid="feedback"), 9, announce=True)
    recorder = RecordTrajectory(env, tmp_path)
    recorder.reset(seed=4)
    truncated = False
    for reply in ("left", "up, up, do", "I will fly to the moon", "right, right, down, do", *["noop"] * 9):
        if not truncated:
            _, _, _, truncated, _ = recorder.step(reply)
    assert truncated
    assert recorder.path is not None
    told = trajectory.read(recorder.path)
    assert [line["reply"] for line in told.steps][:3] == ["left", "up, up, do", "I will fly to the moon"]
    assert [line["action"] for line in told.steps][:3] == [["left"], ["up", "up", "do"], []]
    assert replay.check(told) == len(told.steps)


def test_batches_and_two_caps_are_played_again(tmp_path: Path) -> None:
    env = TimeLimit(ActionSequence(TimeLimit(gym.make(CLASSIC_ID).unwrapped, 40), max_actions=3), 5)
    recorder = RecordTrajectory(env, tmp_path)
    recorder.reset(seed=4)
    for batch in ((1, 2), (3,), (4, 5, 1), (2, 2), (0,)):
        recorder.step(batch)
    assert recorder.path is not None
    told = trajectory.read(recorder.path)
    assert told.header["max_episode_steps"] == 5
    assert [wrapper["entry_point"].split(":")[1] for wrapper in told.header["wrappers"]] == [
        "TimeLimit",
        "ActionSequence",
        "TimeLimit",
    ]
    assert replay.check(told) == 5


@pytest.mark.parametrize("obs_mode", ["symbolic", "both"])
def test_other_observations_are_played_again(tmp_path: Path, obs_mode: str) -> None:
    told = trajectory.read(record(gym.make(CLASSIC_ID, obs_mode=obs_mode, max_episode_steps=5), tmp_path, 3))
    assert (told.start["text"] is None) == (obs_mode == "symbolic")
    assert replay.check(told) == 5


def test_the_first_difference_is_told(path: Path) -> None:
    with pytest.raises(ReplayDifferenceError, match="^Step 7: reward was 5, and is .* in the replay"):
        replay.check(edited(path, 8, reward=5))
    for name, value in (("terminated", True), ("end_reason", "death"), ("achievements", ["eat_cow"]), ("t", 99)):
        with pytest.raises(ReplayDifferenceError, match=f"^Step 3: {name} was"):
            replay.check(edited(path, 4, **{name: value}))
    text = trajectory.read(path).steps[2]["text"]
    with pytest.raises(ReplayDifferenceError) as told:
        replay.check(edited(path, 4, text=text.replace(text.splitlines()[1], "Something else.")))
    assert str(told.value).startswith("Step 3: the text differs.\n--- recorded\n+++ replayed\n")
    assert "\n-Something else." in str(told.value)
    assert f"\n+{text.splitlines()[1]}" in str(told.value)


def test_another_action_or_seed_is_a_difference(path: Path) -> None:
    with pytest.raises(ReplayDifferenceError, match="^Step 0: the text differs"):
        replay.check(edited(path, 0, seed=12))
    action = trajectory.read(path).steps[0]["action"]
    other = "right" if action != "right" else "left"
    with pytest.raises(ReplayDifferenceError):
        replay.check(edited(path, 2, action=other))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"versions": {"craftax": "1.0.0", "jax": "0.0.1"}}, r"craftax 1\.0\.0, but here.*pip install \"craftax==1"),
        ({"backend": "tpu"}, "backend tpu, but here it is"),
        ({"jax_threefry_partitionable": False}, "jax_threefry_partitionable False"),
        ({"text_format_digest": "0" * 12, "versions": {"craftax-text-gym": "0.0.1"}}, "this version writes the format"),
        ({"wrappers": [{"entry_point": "os:system", "kwargs": {}}]}, "Expected only wrappers of Gymnasium and"),
        ({"wrappers": [{"entry_point": "gymnasium.wrappers.common:TimeLimit", "kwargs": None}]}, "cannot be written"),
        ({"wrappers": [{"entry_point": "gymnasium.wrappers.common:deepcopy", "kwargs": {}}]}, "Expected a wrapper of"),
    ],
)
def test_what_cannot_be_equal_is_refused_with_the_reason(path: Path, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ReplayRefusedError, match=reason):
        replay.check(edited(path, 0, **changes))


def test_a_stack_that_cannot_be_written_down_is_refused_at_replay(tmp_path: Path) -> None:
    env = gym.wrappers.TransformReward(gym.make(CLASSIC_ID, max_episode_steps=3), lambda reward: 2 * float(reward))
    told = trajectory.read(record(env, tmp_path, 1))
    with pytest.raises(ReplayRefusedError, match="TransformReward cannot be written down"):
        replay.check(told)


def test_watchers_are_left_out_of_the_stack() -> None:
    env = gym.wrappers.RecordEpisodeStatistics(gym.make(CLASSIC_ID, max_episode_steps=3))
    told = stack.describe(env)
    assert [wrapper["entry_point"] for wrapper in told["wrappers"]] == ["gymnasium.wrappers.common:TimeLimit"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "header as RecordTrajectory writes it"),
        ([{"kind": "episode"}], "header as RecordTrajectory writes it"),
        ([{"kind": "header", "format": 2}], "format 1, got format 2"),
        ([{"kind": "header", "format": 1}], "killed before it"),
        ([{"kind": "header", "format": 1}, {"kind": "reset"}, {"kind": "unlock"}], "a step in line 3.*got 'unlock'"),
    ],
)
def test_files_that_are_no_trajectories_are_refused(tmp_path: Path, lines: list[Any], reason: str) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(ValueError, match=reason):
        trajectory.read(path)


def test_a_recording_that_breaks_off_is_played_as_far_as_it_goes(path: Path) -> None:
    torn = path.with_suffix(".torn")
    torn.write_bytes(b"\n".join(path.read_bytes().split(b"\n")[:12])[:-20])
    told = trajectory.read(torn)
    assert (told.record, told.num_torn) == (None, 1)
    assert replay.check(told) == 9


def test_films_show_every_scene(path: Path, tmp_path: Path) -> None:
    scenes = list(replay.play(trajectory.read(path)))
    assert film.write_gif(tmp_path / "film.gif", scenes) == len(scenes) == 26
    with Image.open(tmp_path / "film.gif") as image:
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]  # equal frames are one, longer
        assert (sum(durations), image.info["loop"]) == (26 * 200, 0)
        image.seek(0)
        shown = np.asarray(image.convert("RGB")).astype(int)
        assert np.abs(shown - frames.render(scenes[0], 16)).mean() < 2
    pytest.importorskip("imageio_ffmpeg")
    assert film.write_mp4(tmp_path / "film.mp4", scenes) == 26
    assert (tmp_path / "film.mp4").read_bytes()[4:8] == b"ftyp"


def test_films_refuse_what_makes_no_film(path: Path, tmp_path: Path) -> None:
    scenes = list(replay.play(trajectory.read(path)))[:1]
    for write in (film.write_gif, film.write_mp4):
        with pytest.raises(ValueError, match="at least one scene"):
            write(tmp_path / "film", [])
        with pytest.raises(ValueError, match="fps above 0"):
            write(tmp_path / "film", scenes, fps=0)
        with pytest.raises(OSError, match="No such file"):
            write(tmp_path / "nowhere" / "film", scenes)
    with pytest.raises(ValueError, match="even tile_size"):
        film.write_mp4(tmp_path / "film", scenes, tile_size=7)


def test_without_the_extra_the_error_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(ImportError, match=r'pip install "craftax-text-gym\[video\]"'):
        film.write_mp4(tmp_path / "film.mp4", [])
