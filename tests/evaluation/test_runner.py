from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import pytest

from craftax_text_gym.agents import AgentError, NoopAgent, RandomAgent, Usage
from craftax_text_gym.evaluation import Report, evaluate, play_episode
from craftax_text_gym.evaluation.results import OtherSettingsError
from craftax_text_gym.games import CLASSIC
from craftax_text_gym.recording import trajectory
from tests.evaluation.stub import SlowWalker, StubEnv, Walker
from tests.proof import count


@pytest.fixture(scope="module")
def env() -> gym.Env[Any, Any]:
    return gym.make(CLASSIC.env_id, max_episode_steps=400)


def test_a_record_says_what_was_played(env: gym.Env[Any, Any]) -> None:
    record = play_episode(env, RandomAgent(available_only=True), 3)
    rng, total, achieved = np.random.default_rng(3), 0.0, dict[str, int]()
    _, info = env.reset(seed=3)
    for step in range(1, record.length + 1):
        assert not info["end_reason"]
        _, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        total += float(reward)
        achieved |= dict.fromkeys(info["new_achievements"], step)
    assert (record.terminated, record.truncated) == (terminated, truncated)
    assert record.end_reason == (info["end_reason"] or "step_cap")
    assert (record.total_reward, record.achievements) == (total, achieved)
    assert len(achieved) == info["achievements"].sum() > 0
    assert (record.game, record.seed, record.decisions) == ("classic", 3, record.length)


def test_a_step_cap_is_told_apart_from_a_death(env: gym.Env[Any, Any]) -> None:
    capped = play_episode(gym.make(CLASSIC.env_id, max_episode_steps=5), NoopAgent(), 0)
    assert (capped.length, capped.terminated, capped.truncated, capped.end_reason) == (5, False, True, "step_cap")
    records = (play_episode(env, RandomAgent(), seed) for seed in range(20))
    death = next(record for record in records if record.end_reason != "step_cap")
    assert (death.terminated, death.truncated, death.end_reason) == (True, False, "death")


def test_an_asynchronous_agent_is_refused_where_nothing_would_wait_for_it(env: gym.Env[Any, Any]) -> None:
    with pytest.raises(TypeError, match="play_episode_async"):
        play_episode(env, SlowWalker(), 0)


@pytest.mark.parametrize("agent", [RandomAgent, Walker, SlowWalker])
def test_records_are_equal_however_many_episodes_run_at_once(agent: type[Any]) -> None:
    """In the real game; vector environments and tasks against one plain environment."""
    seeds = range(100, 100 + count(20, 4))
    plain = Walker if agent is SlowWalker else agent
    env = gym.make(CLASSIC.env_id, max_episode_steps=50, text_format=getattr(plain, "text_format", "markdown"))
    expected = tuple(play_episode(env, plain(), seed) for seed in seeds)
    assert len({tuple(record.achievements.items()) for record in expected}) > 1
    for num_envs in (3, 1, 8)[: count(3, 1)]:  # a vector environment of each size is compiled anew
        assert evaluate(agent, "classic", seeds=seeds, max_steps=50, num_envs=num_envs).episodes == expected


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize("agent", [Walker, SlowWalker])
@pytest.mark.parametrize("num_envs", [1, 3, 8, 50])
def test_records_are_equal_in_a_game_of_chance_too(agent: type[Any], num_envs: int) -> None:
    env = gym.make(CLASSIC.env_id, max_episode_steps=60)
    expected = tuple(play_episode(env, Walker(), seed) for seed in range(40))
    assert {record.end_reason for record in expected} == {"death", "step_cap"}
    report = evaluate(agent, "classic", episodes=40, max_steps=60, num_envs=num_envs)
    assert report.episodes == expected


@pytest.mark.usefixtures("stubbed")
def test_an_agent_plays_no_more_than_one_episode_at_a_time() -> None:
    agent = Walker(3)
    report = evaluate(agent, "classic", episodes=9, max_steps=30, num_envs=4)
    env = gym.make(CLASSIC.env_id, max_episode_steps=30)
    assert report.episodes == tuple(play_episode(env, Walker(3), seed) for seed in range(9))
    assert agent._turn == 0


@pytest.mark.usefixtures("stubbed")
def test_the_agent_reads_the_format_that_it_wants_unless_the_user_says_otherwise() -> None:
    def markup(**options: Any) -> str:
        return str(evaluate(Walker, "classic", episodes=1, max_steps=3, **options).header["text_format"]["markup"])

    assert (markup(), markup(text_format="xml")) == ("json", "xml")
    assert evaluate(NoopAgent, "classic", episodes=1, max_steps=3).header["text_format"]["markup"] == "markdown"


class ReadsBoth(RandomAgent):
    """Looks at what it is given before it draws."""

    def act(self, observation: Any, info: Any) -> int | list[int]:
        assert isinstance(observation["text"], str)
        assert observation["symbolic"].shape == (CLASSIC.symbolic_size,)
        return super().act(observation, info)


def test_an_agent_may_be_given_numbers_too() -> None:
    settings: dict[str, Any] = {"game": "classic", "episodes": 3, "max_steps": 9, "num_envs": 3}
    both = evaluate(ReadsBoth, obs_mode="both", **settings)
    assert both.episodes == evaluate(RandomAgent, **settings).episodes


class Talker:
    """Answers in words, asks for several actions, and makes one mistake."""

    replies = True

    def __init__(self, *, max_actions: int) -> None:
        self.max_actions = max_actions

    def reset(self, seed: int) -> None:  # noqa: ARG002
        self.infos: list[Any] = []

    async def act(self, observation: str, info: Any) -> str:
        self.infos.append((observation, info))
        if len(self.infos) == 2:
            return "I shall jump."
        if len(self.infos) == 3:
            assert info["invalid_reply"]
            assert "Your reply is invalid" in observation
        return f"I think.\nActions: {', '.join(['noop'] * self.max_actions)}"

    @property
    def usage(self) -> Usage:
        return Usage(10 * len(self.infos), len(self.infos), 0.5)


def test_replies_in_words_may_hold_several_actions_and_are_counted() -> None:
    report = evaluate(Talker, "classic", episodes=2, max_decisions=4, max_actions=3)
    for episode in report.episodes:
        assert (episode.decisions, episode.length, episode.invalid_replies) == (4, 10, 1)
        assert (episode.end_reason, episode.truncated) == ("decision_cap", True)
        assert (episode.input_tokens, episode.output_tokens, episode.cost) == (40, 4, 0.5)
    assert report.usage == {
        "decisions": 8, "invalid_replies": 2, "input_tokens": 80, "output_tokens": 8, "cost": 1.0,
    }  # fmt: skip


def test_a_sequence_counts_against_the_cap_on_steps() -> None:
    report = evaluate(NoopAgent, "classic", episodes=2, max_steps=7, max_actions=3)
    assert [(record.length, record.decisions, record.end_reason) for record in report.episodes] == [
        (7, 3, "step_cap")
    ] * 2


def test_one_action_is_a_sequence_of_one(tmp_path: Path) -> None:
    report = evaluate("scripted", "classic", protocol="craftaxlm-2025", num_envs=2, output=tmp_path)
    assert all(record.decisions <= 30 and record.length == record.decisions for record in report.episodes)


def test_episodes_are_recorded_on_request(tmp_path: Path) -> None:
    report = evaluate(RandomAgent, "classic", episodes=3, max_steps=20, num_envs=2, output=tmp_path, trajectories=True)
    recorded = [trajectory.read(path) for path in (tmp_path / "trajectories").iterdir()]
    assert {one.record.seed: one.record for one in recorded if one.record} == {
        record.seed: record for record in report.episodes
    }
    assert [len(one.steps) for one in recorded] == [20, 20, 20]


class Failing(Walker):
    """Gives up in one episode."""

    def act(self, observation: Any, info: Any) -> str | int:
        if self._seed == 5 and self._turn == 10:
            raise AgentError("The endpoint is gone: start it again.")
        return super().act(observation, info)


class FailingSlowly(SlowWalker):
    """The same, behind a network of sorts."""

    closed = 0

    async def act(self, observation: Any, info: Any) -> str | int:  # type: ignore[override]
        if self._seed == 5 and self._turn == 10:
            raise AgentError("The endpoint is gone: start it again.")
        return await super().act(observation, info)

    async def close(self) -> None:
        type(self).closed += 1


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize(("failing", "whole"), [(Failing, Walker), (FailingSlowly, SlowWalker)])
def test_what_has_ended_is_kept_where_an_agent_gives_up(
    failing: Any, whole: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FailingSlowly, "closed", 0)
    with pytest.raises(AgentError, match="endpoint is gone"):
        evaluate(failing, "classic", episodes=12, max_steps=60, num_envs=2, output=tmp_path)
    kept = Report.load(tmp_path)
    assert set(kept.missing) >= {5}
    assert len(kept.episodes) >= 3
    # With the same name, for the settings must be the same: a repaired version of the agent.
    repaired = type(failing.__name__, (whole,), {"__module__": failing.__module__})
    report = evaluate(repaired, "classic", episodes=12, max_steps=60, num_envs=2, output=tmp_path, resume=True)
    assert report.missing == ()
    assert report.episodes == evaluate(Walker, "classic", episodes=12, max_steps=60).episodes
    assert FailingSlowly.closed == (2 if failing is FailingSlowly else 0)


class Closing(Walker):
    """Holds something that must be freed."""

    closed: ClassVar[list[int]] = []

    def close(self) -> None:
        self.closed.append(self._seed)


class ClosingSlowly(Closing):
    """The same, where that takes time."""

    async def close(self) -> None:  # type: ignore[override]
        super().close()


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize("agent", [Closing, ClosingSlowly])
def test_every_agent_is_closed_once(agent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Closing, "closed", [])
    evaluate(agent, "classic", episodes=7, max_steps=9, num_envs=3)
    assert len(Closing.closed) == 3


@pytest.mark.usefixtures("stubbed")
def test_results_are_gone_on_with_only_on_request_and_with_equal_settings(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"episodes": 3, "max_steps": 5, "output": tmp_path}
    first = evaluate(Walker, "classic", **settings)
    with pytest.raises(FileExistsError, match="--resume"):
        evaluate(Walker, "classic", **settings)
    again = evaluate(Walker, "classic", **settings, resume=True)
    assert (again.episodes, dict(again.header)) == (first.episodes, dict(first.header))
    with pytest.raises(OtherSettingsError, match="max_steps is 5 there, 6 here"):
        evaluate(Walker, "classic", **{**settings, "max_steps": 6}, resume=True)
    with pytest.raises(OtherSettingsError, match="agent_options is {} there, {'stride': 2} here"):
        evaluate(Walker, "classic", **settings, agent_options={"stride": 2}, resume=True)
    with pytest.raises(OtherSettingsError, match="seeds is"):
        evaluate(Walker, "classic", **{**settings, "episodes": 4}, resume=True)
    with pytest.raises(OtherSettingsError, match="text_format_digest is"):
        evaluate(Walker, "classic", **settings, text_format="xml", resume=True)


@pytest.mark.usefixtures("stubbed")
def test_a_run_is_stamped_and_a_protocol_fixes_it() -> None:
    report = evaluate(Walker, "classic", protocol="craftaxlm", reveal=["position"])
    header = report.header
    assert (header["protocol"], header["max_steps"], header["seeds"]) == ("craftaxlm", 300, list(range(10_000, 10_005)))
    assert (header["reveal"], header["versions"]["gymnasium"], header["game"]) == (
        ["position"],
        gym.__version__,
        "classic",
    )
    assert (report.score_name, report.score) == ("log_score_percent", report.scores["log_score_percent"])


@pytest.mark.usefixtures("stubbed")
def test_a_secret_is_not_recorded() -> None:
    class Keyed(Walker):
        def __init__(self, api_key: str) -> None:
            super().__init__()
            self.key = api_key

    report = evaluate(Keyed, "classic", episodes=1, max_steps=2, agent_options={"api_key": "sesame"})
    assert "sesame" not in str(report.to_json())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"protocol": "craftaxml"}, "craftaxlm"),
        ({"protocol": "craftaxlm", "episodes": 3}, "fixes episodes: leave it out"),
        ({"protocol": "craftaxlm-2025", "max_steps": 3, "max_actions": 2}, "fixes max_steps, max_actions"),
        ({"seeds": [1, 1]}, "different seeds"),
        ({"seeds": []}, "at least one"),
        ({"seeds": [2**32]}, "from 0 to 4294967295"),
        ({"seeds": [0], "episodes": 2}, "leave episodes out"),
        ({"episodes": 0}, "episodes of at least 1"),
        ({"max_steps": 0}, "max_steps of at least 1"),
        ({"max_actions": 0}, "max_actions of at least 1"),
        ({"num_envs": 0}, "num_envs of at least 1"),
        ({"trajectories": True}, "output"),
        ({"backend": "lcoal"}, "local"),
        ({"text_format": "markdwon"}, "markdown"),
        ({"game": "minecraft"}, "'classic'"),
    ],
)
def test_a_wrong_argument_is_refused_before_anything_is_played(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(RandomAgent, **{"game": "classic", **arguments})


@pytest.mark.usefixtures("stubbed")
def test_the_iterator_of_a_backend_can_be_closed_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StubEnv, "pause", 0.0005)
    from craftax_text_gym.evaluation.backends import ExecutionConfig, get
    from craftax_text_gym.evaluation.runner import make_settings

    for agent in (Walker, SlowWalker):
        settings = make_settings(agent, "classic", episodes=30, max_steps=60)
        records = get("local")(settings, settings.seeds, ExecutionConfig(4))
        first = next(records)
        records.close()
        assert first == evaluate(Walker, "classic", seeds=[first.seed], max_steps=60).episodes[0]
        assert list(records) == []
