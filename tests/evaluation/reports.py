"""Reports made up for the tests."""

from __future__ import annotations

from typing import Any

from craftax_text_gym import games
from craftax_text_gym.agents import RandomAgent, recipe_of
from craftax_text_gym.evaluation import EpisodeRecord, Report
from craftax_text_gym.evaluation.run_settings import RunSettings


def record(seed: int, achievements: dict[str, int], total_reward: float, length: int, end: str) -> EpisodeRecord:
    """An episode of Classic."""
    return EpisodeRecord(
        game="classic",
        seed=seed,
        length=length,
        total_reward=total_reward,
        reward_achievements=float(len(achievements)),
        reward_health=total_reward - len(achievements),
        achievements=achievements,
        terminated=end == "death",
        truncated=end != "death",
        end_reason=end,
        decisions=length,
        invalid_replies=seed,
        input_tokens=100 if seed else None,
    )


EPISODES = (
    record(0, {"collect_wood": 3, "eat_cow": 9}, 2.0, 10, "death"),
    record(1, {"collect_wood": 25}, 0.5, 30, "step_cap"),
    record(2, {}, -0.5, 20, "death"),
    record(3, {"wake_up": 1}, 1.0, 40, "death"),
)


def report(episodes: tuple[EpisodeRecord, ...] = EPISODES, **changes: Any) -> Report:
    """A report of Classic, under settings of which some are changed."""
    settings: dict[str, Any] = {"game": "classic", "agent": recipe_of(RandomAgent), "max_steps": 50}
    settings = {**settings, "seeds": tuple(range(len(EPISODES))), **changes}
    header = RunSettings(**settings).header()
    assert header["game"] == games.get(settings["game"]).key
    return Report(header, episodes)
