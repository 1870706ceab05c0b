from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from craftax_text_gym.agents import RandomAgent
from craftax_text_gym.recording import json_lines, records, stamping
from craftax_text_gym.recording.json_lines import RecordingError
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.wrappers import AchievementLogger
from tests.recording.stubs import RecordedEnv
from tests.subprocesses import CLASSIC_ID


def lines_of(path: Path, kind: str = "") -> list[dict[str, Any]]:
    read = json_lines.read(path)
    assert not read.num_torn
    return [line for line in read.values if not kind or line["kind"] == kind]


def play(env: gym.Env[Any, Any], num_steps: int = 1_000) -> None:
    for _ in range(num_steps):
        _, _, terminated, truncated, _ = env.step(0)
        if terminated or truncated:
            return


def test_unlocks_and_episodes_of_a_real_game_are_logged(tmp_path: Path) -> None:
    inner = gym.make(CLASSIC_ID, max_episode_steps=150, text_format="compact", reveal=["position"])
    env = AchievementLogger(inner, tmp_path / "log.jsonl")
    agent = RandomAgent(available_only=True)
    agent.reset(3)
    observation, info = env.reset(seed=3)
    unlocked, reward_sum, ended = {}, 0.0, False
    while not ended:
        observation, reward, terminated, truncated, info = env.step(agent.act(observation, info))
        unlocked.update(dict.fromkeys(info["new_achievements"], info["timestep"]))
        reward_sum += reward
        ended = terminated or truncated
    path = tmp_path / "log.jsonl"
    assert unlocked
    assert {line["achievement"]: line["step"] for line in lines_of(path, "unlock")} == unlocked
    (episode,) = lines_of(path, "episode")
    record = EpisodeRecord.from_json(episode)
    assert (record.game, record.seed, record.length) == ("classic", 3, info["timestep"])
    assert record.achievements == unlocked
    assert record.total_reward == pytest.approx(reward_sum)
    stamp = stamping.stamp(env)
    for line in lines_of(path):
        assert line["episode_id"] == episode["episode_id"]
        for key in ("versions", "text_format_digest", "reveal", "env_params", "backend"):
            assert line[key] == stamp[key]
    assert stamp["backend"] == "cpu"
    assert stamp["reveal"] == ["position"]


def test_an_episode_that_is_reset_early_or_closed_is_unfinished(tmp_path: Path) -> None:
    env = AchievementLogger(RecordedEnv(), tmp_path / "log.jsonl")
    env.reset(seed=1)
    play(env, 3)
    env.reset(seed=2)
    play(env)
    env.reset(seed=3)
    play(env, 4)
    env.close()
    env.close()
    episodes = [EpisodeRecord.from_json(line) for line in lines_of(tmp_path / "log.jsonl", "episode")]
    assert [(told.seed, told.end_reason, told.finished) for told in episodes] == [
        (1, "unfinished", False),
        (2, "death", True),
        (3, "unfinished", False),
    ]
    told = records.read([tmp_path / "log.jsonl"])
    assert (len(told.finished), len(told.unfinished), told.num_killed) == (1, 2, 0)


def test_an_episode_without_a_record_is_counted(tmp_path: Path) -> None:
    env = AchievementLogger(RecordedEnv(), tmp_path / "log.jsonl")
    env.reset(seed=1)
    play(env, 5)
    told = records.read([tmp_path / "log.jsonl"])
    assert (told.finished, told.unfinished, told.num_killed) == ((), (), 1)


def test_a_log_that_cannot_be_written_stops_the_game_unless_asked_to_go_on() -> None:
    env = AchievementLogger(RecordedEnv(), "/dev/full")
    env.reset(seed=1)
    with pytest.raises(RecordingError, match="Cannot write '/dev/full'"):
        env.step(0)
    env = AchievementLogger(RecordedEnv(), "/dev/full", on_error="warn")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="Cannot write '/dev/full'.* The game continues"):
        env.step(0)
    play(env)  # a second warning would be an error
    env.close()


def test_a_change_of_folder_does_not_move_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    env = AchievementLogger(RecordedEnv(), "log.jsonl")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    env.reset(seed=1)
    play(env)
    assert lines_of(tmp_path / "log.jsonl")


def test_paths_are_kept_as_json(tmp_path: Path) -> None:
    env = AchievementLogger(gym.make(CLASSIC_ID), tmp_path / "log.jsonl")
    assert env.spec is not None
    kwargs = json.loads(env.spec.to_json())["additional_wrappers"][-1]["kwargs"]
    assert kwargs == {"path": os.fspath(tmp_path / "log.jsonl"), "on_error": "raise"}
    assert isinstance(gym.make(env.spec), AchievementLogger)


def test_bad_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="closest choices: raise, warn|closest choices: warn"):
        AchievementLogger(RecordedEnv(), tmp_path / "log.jsonl", on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        AchievementLogger(RecordedEnv(), 3)  # type: ignore[arg-type]
