"""Episodes as tasks that wait side by side, with an environment each: for agents behind a network."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import gymnasium as gym

from craftax_text_gym.evaluation.backends import Means
from craftax_text_gym.evaluation.episodes import close_agent, play_episode_async
from craftax_text_gym.evaluation.settings import RunSettings
from craftax_text_gym.scoring.episode import EpisodeRecord


def play(settings: RunSettings, seeds: Sequence[int], means: Means) -> Generator[EpisodeRecord, None, None]:
    """Play one episode from each seed; see `Backend`.

    The tasks run in an event loop of their own thread, so that this works within a notebook's loop too.
    """
    crew = _Crew(settings, seeds, means)
    thread = threading.Thread(target=crew.run, name="craftax-text-episodes", daemon=True)
    thread.start()
    try:
        while (outcome := crew.outcomes.get()) is not None:
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome
    finally:
        crew.stop()
        thread.join()


class _Crew:
    """The tasks, and what they hand over to the thread that waits for records."""

    def __init__(self, settings: RunSettings, seeds: Sequence[int], means: Means) -> None:
        self.outcomes: queue.SimpleQueue[EpisodeRecord | BaseException | None] = queue.SimpleQueue()
        self._settings = settings
        self._waiting = deque(seeds)
        self._num_tasks = min(means.num_envs, len(seeds))
        self._means = means
        self._envs: list[gym.Env[Any, Any]] = []
        self._main: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = Future()

    def run(self) -> None:
        """Play all episodes, then hand over None; an exception of an episode stops the others and comes before it."""
        try:
            asyncio.run(self._play_all())
        except asyncio.CancelledError:
            pass
        except BaseExceptionGroup as group:
            self.outcomes.put(_first(group))
        finally:
            # Only now: a thread may still have been stepping an environment of a task that was cancelled.
            for env in self._envs:
                env.close()
            self.outcomes.put(None)

    def stop(self) -> None:
        """Cancel what is being played."""
        loop, task = self._main.result()
        if not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    async def _play_all(self) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        loop.set_default_executor(ThreadPoolExecutor(self._num_tasks, "craftax-text-game"))
        self._main.set_result((loop, task))
        async with asyncio.TaskGroup() as group:
            for _ in range(self._num_tasks):
                group.create_task(self._play_some())

    async def _play_some(self) -> None:
        """Play one episode after another, until none is left."""
        agent = self._settings.make_agent()
        env = self._settings.make_env(agent)
        if self._means.trajectories is not None:
            from craftax_text_gym.wrappers import RecordTrajectory

            env = RecordTrajectory(env, self._means.trajectories)
        self._envs.append(env)
        try:
            while self._waiting:
                seed = self._waiting.popleft()
                self.outcomes.put(await play_episode_async(env, agent, seed, self._means.watch))
        finally:
            await close_agent(agent)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
