"""Episodes on a Ray cluster: the one named by `RAY_ADDRESS` or an earlier `ray.init`, else one on this machine."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from craftax_text_gym.evaluation.backends import ExecutionConfig, local
from craftax_text_gym.evaluation.episodes import ignore_achievement
from craftax_text_gym.evaluation.run_settings import RunSettings
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.utils.plugins import require_extra

with require_extra("ray"):
    import ray
    from ray.exceptions import ObjectLostError, OutOfMemoryError, RayActorError, RayTaskError

MAX_LOSSES = 3
"""How often a worker may be lost in a row, without a new record, before the run fails."""

_BATCHES = 4
_LOSSES = (RayActorError, ObjectLostError, OutOfMemoryError)
_OBJECT_STORE_BYTES = 100 * 2**20  # records are small, and Ray's default may exceed /dev/shm


def play(
    settings: RunSettings, seeds: Sequence[int], execution: ExecutionConfig
) -> Generator[EpisodeRecord, None, None]:
    """Play one episode for each seed; see `Backend`.

    Each CPU of the cluster gets a worker. It plays a chunk of episodes as the local backend does,
    `execution.num_envs` at a time, returns each record at once, and then takes the next chunk. If a worker is lost, a
    new one plays its unfinished episodes again. `execution.on_achievement` is not called. Trajectories are written on
    the worker's machine.
    """
    with _cluster():
        pool = _WorkerPool(settings, seeds, replace(execution, on_achievement=ignore_achievement))
        try:
            for _ in seeds:
                yield pool.next_record()
        finally:
            pool.stop()


class _Player:
    """The actor: plays episodes in a process of its own on the cluster."""

    def play(self, settings: RunSettings, seeds: list[int], execution: ExecutionConfig) -> Iterator[EpisodeRecord]:
        """Play episodes, possibly none."""
        for record in local.play(settings, seeds, execution) if seeds else ():  # noqa: UP028  Ray would send values into it
            yield record


@dataclass(slots=True)
class _Worker:
    """A worker as the driver sees it.

    Attributes:
        seeds: The seeds of its assigned episodes whose records have not arrived.
        losses: How often it was lost in a row.
        player: The handle of its actor.
        records: Yields references to records as they arrive.
    """

    seeds: list[int] = field(default_factory=list)
    losses: int = 0
    player: Any = None
    records: Any = None


class _WorkerPool:
    """The workers, and the episodes that are not yet assigned.

    Workers are actors, because an actor can be killed at any time. `ray.cancel` on a task that is just ending can
    crash the driver (https://github.com/ray-project/ray/pull/54798 describes such races).
    """

    def __init__(self, settings: RunSettings, seeds: Sequence[int], execution: ExecutionConfig) -> None:
        self._settings = settings
        self._execution = execution
        num_workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        size = _chunk_size(len(seeds), num_workers, execution.num_envs)
        self._waiting = deque(list(seeds[start : start + size]) for start in range(0, len(seeds), size))
        # They start without episodes: the first to be ready gets some, so no episode waits for a busy CPU.
        self._workers = [_Worker() for _ in range(min(num_workers, len(self._waiting)))]
        for worker in self._workers:
            self._start(worker)

    def next_record(self) -> EpisodeRecord:
        """Wait for the next record from any worker.

        Returns:
            The record.

        Raises:
            Exception: Whatever an agent or environment raised.
            RuntimeError: If a worker is lost more than `MAX_LOSSES` times in a row.
        """
        while True:
            by_records = {worker.records: worker for worker in self._workers}
            (ready,), _ = ray.wait(list(by_records), num_returns=1)
            worker = by_records[ready]
            try:
                record: EpisodeRecord = ray.get(next(ready))
            except StopIteration:
                self._assign_next(worker)
            except RayTaskError as error:  # raised by the player, not by Ray
                raise error.cause from None
            except _LOSSES as error:
                self._restart(worker, error)
            else:
                worker.seeds.remove(record.seed)
                worker.losses = 0
                return record

    def stop(self) -> None:
        """Kill all workers, even in the middle of an episode."""
        for worker in self._workers:
            ray.kill(worker.player)

    def _start(self, worker: _Worker) -> None:
        worker.player = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Player).remote()
        self._send(worker)

    def _send(self, worker: _Worker) -> None:
        """Make a worker play its assigned episodes."""
        method = worker.player.play.options(num_returns="streaming")
        worker.records = method.remote(self._settings, worker.seeds, self._execution)

    def _assign_next(self, worker: _Worker) -> None:
        """Assign a worker its next episodes, or dismiss it if none are left."""
        if self._waiting:
            worker.seeds = self._waiting.popleft()
            self._send(worker)
        else:
            self._workers.remove(worker)
            ray.kill(worker.player)

    def _restart(self, worker: _Worker, error: Exception) -> None:
        """Restart a lost worker, unless it was lost too often."""
        worker.losses += 1
        if worker.losses > MAX_LOSSES:
            raise RuntimeError(
                f"A worker was lost {worker.losses} times at the episodes of seeds {worker.seeds}, the last time with: "
                f"{error}. Check whether memory runs out, or lower --num-envs."
            ) from error
        ray.kill(worker.player)  # it may only be unreachable
        self._start(worker)


def _chunk_size(num_seeds: int, num_workers: int, num_envs: int) -> int:
    """Episodes per assignment: enough to keep a worker's environments busy, few enough that every worker gets some."""
    return max(1, min(-(-num_seeds // num_workers), _BATCHES * num_envs))


@contextlib.contextmanager
def _cluster() -> Iterator[None]:
    """Connect to the cluster, or start one on this machine for the duration of the block."""
    if ray.is_initialized():
        yield
        return
    address = os.environ.get("RAY_ADDRESS") or "local"  # else Ray joins the cluster that ran last, even a dead one
    own = {"include_dashboard": False, "object_store_memory": _OBJECT_STORE_BYTES} if address == "local" else {}
    ray.init(address, log_to_driver=False, **own)
    try:
        yield
    finally:
        ray.shutdown()
