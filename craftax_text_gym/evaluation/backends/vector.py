"""Episodes of agents that answer at once, in one vector environment."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode

from craftax_text_gym.agents import Agent
from craftax_text_gym.evaluation.backends import Means
from craftax_text_gym.evaluation.episodes import Watch, count, is_async, record_of
from craftax_text_gym.evaluation.settings import RunSettings, answers_in_words
from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally

_IDLE_ACTION = 0


@dataclass(slots=True)
class _Slot:
    """One game of the vector environment.

    Attributes:
        agent: Who plays it.
        seed: Of its last reset.
        tally: Of the episode; None where no seed is left for it: then it idles, for a vector steps as a whole.
        observation: The last one.
        info: The info that came with it.
    """

    agent: Agent
    seed: int = 0
    tally: EpisodeTally | None = None
    observation: Any = None
    info: Mapping[str, Any] | None = None


def fits(settings: RunSettings) -> bool:
    """Whether a vector environment can play by these settings."""
    agent = settings.make_agent()
    return (
        settings.max_actions == 1
        and settings.max_decisions is None
        and not answers_in_words(agent)
        and not is_async(agent)
    )


def play(settings: RunSettings, seeds: Sequence[int], means: Means) -> Generator[EpisodeRecord, None, None]:
    """Play one episode from each seed; see `Backend`. Nothing is recorded, whatever `means` asks for."""
    waiting = deque(seeds)
    # As many whether all seeds are left or few, for each size of a vector is compiled by itself.
    slots = [_Slot(settings.make_agent()) for _ in range(min(means.num_envs, len(settings.seeds)))]
    envs = _make_vector(settings, slots[0].agent, len(slots))
    try:
        _begin(envs, slots, np.ones(len(slots), bool), waiting, settings.game)
        while any(slot.tally for slot in slots):
            records, ended = _step(envs, slots, means.watch)
            yield from records
            if ended.any():
                _begin(envs, slots, ended, waiting, settings.game)
    finally:
        envs.close()
        for slot in slots:
            getattr(slot.agent, "close", lambda: None)()


def _make_vector(settings: RunSettings, agent: Agent, num_envs: int) -> Any:
    """The native vector environment, or one made of single environments where the id has no native one."""
    arguments = settings.env_arguments(agent)
    env_id = settings.spec.env_id
    mode = AutoresetMode.DISABLED
    if gym.spec(env_id).vector_entry_point is not None:
        return gym.make_vec(env_id, num_envs, autoreset_mode=mode, **arguments)
    return gym.make_vec(
        env_id, num_envs, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **arguments
    )


def _begin(
    envs: Any,
    slots: list[_Slot],
    mask: np.ndarray[Any, np.dtype[np.bool_]],
    waiting: deque[int],
    game: str,
) -> None:
    """Begin the next episodes in the slots of a mask; a slot without one idles through its old seed's world."""
    chosen = [(number, slots[number]) for number in np.flatnonzero(mask).tolist()]
    playing = [bool(waiting) and _take(slot, waiting) for _, slot in chosen]
    if not any(slot.tally for slot in slots) and not any(playing):
        return
    observations, infos = envs.reset(seed=[slot.seed for slot in slots], options={"reset_mask": mask})
    for (number, slot), has_seed in zip(chosen, playing, strict=True):
        slot.observation, slot.info = _observation_of(observations, number), _info_of(infos, number)
        if has_seed:
            slot.agent.reset(slot.seed)
            slot.tally = EpisodeTally.begin(game, slot.info)


def _take(slot: _Slot, waiting: deque[int]) -> bool:
    slot.seed = waiting.popleft()
    return True


def _step(
    envs: Any, slots: list[_Slot], watch: Watch
) -> tuple[list[EpisodeRecord], np.ndarray[Any, np.dtype[np.bool_]]]:
    """Step every game once; the records of the episodes that ended, and which games did."""
    space = envs.single_action_space
    actions = [
        space.resolve(slot.agent.act(slot.observation, slot.info or {})) if slot.tally else _IDLE_ACTION
        for slot in slots
    ]
    observations, rewards, terminated, truncated, infos = envs.step(np.array(actions))
    records = []
    for number, slot in enumerate(slots):
        if slot.tally is None:
            continue
        slot.observation, slot.info = _observation_of(observations, number), _info_of(infos, number)
        count(slot.tally, rewards[number], terminated[number], truncated[number], dict(slot.info), watch)
        if terminated[number] or truncated[number]:
            records.append(record_of(slot.tally, slot.agent))
            slot.tally = None
    return records, terminated | truncated


def _observation_of(observations: Any, number: int) -> Any:
    """One game's observation, out of a tuple or array of them, or of a dict of these."""
    if isinstance(observations, Mapping):
        return {key: values[number] for key, values in observations.items()}
    return observations[number]


def _info_of(infos: Mapping[str, Any], number: int) -> dict[str, Any]:
    """One game's info, out of a vector environment's."""
    return {key: values[number] for key, values in infos.items() if not key.startswith("_")}
