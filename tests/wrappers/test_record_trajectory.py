from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
from PIL import Image

from craftax_text_gym.recording import trajectory
from craftax_text_gym.recording.json_lines import RecordingError
from craftax_text_gym.wrappers import RecordTrajectory
from tests.recording.stubs import RecordedEnv


def test_every_episode_has_a_file_of_its_own(tmp_path: Path) -> None:
    env = RecordTrajectory(RecordedEnv(length=4), tmp_path / "new" / "folder")
    paths = []
    for _ in range(2):  # the same seed twice
        env.reset(seed=5)
        for _ in range(4):
            env.step("left")
        assert env.path is not None
        paths.append(env.path)
    assert sorted((tmp_path / "new" / "folder").iterdir()) == sorted(paths)
    for path in paths:
        told = trajectory.read(path)
        assert told.record is not None
        assert (told.record.seed, told.record.length, told.record.end_reason) == (5, 4, "death")
        assert [line["action"] for line in told.steps] == ["left"] * 4


def test_an_episode_that_is_reset_early_or_closed_is_unfinished(tmp_path: Path) -> None:
    env = RecordTrajectory(RecordedEnv(), tmp_path)
    env.reset(seed=1)
    env.step(0)
    env.reset(seed=2)
    env.step(0)
    env.close()
    records = [trajectory.read(path).record for path in sorted(tmp_path.iterdir())]
    assert [(told.seed, told.end_reason) for told in records if told] == [(1, "unfinished"), (2, "unfinished")]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_does_not_write_into_the_same_file(tmp_path: Path, copied: object) -> None:
    env = RecordTrajectory(RecordedEnv(), tmp_path)
    env.reset(seed=1)
    env.step(0)
    other = copied(env)  # type: ignore[operator]
    other.step(1)
    env.step(0)
    env.close()
    other.reset(seed=2)
    other.close()
    assert env.path is not None
    assert [line["action"] for line in trajectory.read(env.path).steps] == ["noop", "noop"]
    assert other.path != env.path
    assert len(list(tmp_path.iterdir())) == 2


def test_frames_make_a_film_beside_the_file(tmp_path: Path) -> None:
    import gymnasium as gym

    env = RecordTrajectory(gym.make("CraftaxClassicText-v0", max_episode_steps=3), tmp_path, frames=True)
    env.reset(seed=1)
    for action in (1, 2, 3):
        env.step(action)
    assert env.path is not None
    with Image.open(env.path.with_suffix(".gif")) as image:
        assert image.size == (9 * 16, 9 * 16)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    env = RecordTrajectory(RecordedEnv(), tmp_path / "file" / "folder")
    with pytest.raises(RecordingError, match="Cannot make the folder .*: choose another one"):
        env.reset(seed=1)


def test_bad_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="frames as True or False"):
        RecordTrajectory(RecordedEnv(), tmp_path, frames="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        RecordTrajectory(RecordedEnv(), 3)  # type: ignore[arg-type]
