"""Episodes as concurrent asyncio tasks with one environment each, for agents that wait on a network."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import gymnasium as gym

from craftax_text_gym.evaluation.backends import ExecutionConfig
from craftax_text_gym.evaluation.episodes import close_agent, play_episode_async
from craftax_text_gym.evaluation.run_settings import RunSettings
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.wrappers import RecordTrajectory


def play(
    settings: RunSettings, seeds: Sequence[int], execution: ExecutionConfig
) -> Generator[EpisodeRecord, None, None]:
    """Play one episode for each seed; see `Backend`.

    The tasks run in an event loop in a thread of their own, so this also works inside a notebook's loop.
    """
    runner = _Runner(settings, seeds, execution)
    thread = threading.Thread(target=runner.run, name="craftax-text-episodes", daemon=True)
    thread.start()
    try:
        while (outcome := runner.outcomes.get()) is not None:
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome
    finally:
        runner.stop()
        thread.join()


class _Runner:
    """Runs the tasks, and queues their records for the thread that waits for them."""

    def __init__(self, settings: RunSettings, seeds: Sequence[int], execution: ExecutionConfig) -> None:
        self.outcomes: queue.SimpleQueue[EpisodeRecord | BaseException | None] = queue.SimpleQueue()
        self._settings = settings
        self._waiting = deque(seeds)
        self._num_tasks = min(execution.num_envs, len(seeds))
        self._execution = execution
        self._envs: list[gym.Env[Any, Any]] = []
        self._main: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = Future()

    def run(self) -> None:
        """Play all episodes, then queue None; the exception of an episode stops the others and is queued before it."""
        try:
            asyncio.run(self._play_all())
        except asyncio.CancelledError:
            pass
        except BaseExceptionGroup as group:
            self.outcomes.put(_first(group))
        finally:
            # Not earlier: a thread may still be stepping the environment of a cancelled task.
            for env in self._envs:
                env.close()
            self.outcomes.put(None)

    def stop(self) -> None:
        """Cancel the episodes in progress."""
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
        if self._execution.trajectories is not None:
            env = RecordTrajectory(env, self._execution.trajectories)
        self._envs.append(env)
        try:
            while self._waiting:
                seed = self._waiting.popleft()
                self.outcomes.put(await play_episode_async(env, agent, seed, self._execution.on_achievement))
        finally:
            await close_agent(agent)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
