"""Episodes on a Ray cluster: on this machine, or the one that `RAY_ADDRESS` or an earlier `ray.init` names."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from craftax_text_gym.evaluation.backends import Means, local
from craftax_text_gym.evaluation.episodes import ignore
from craftax_text_gym.evaluation.settings import RunSettings
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.utils.plugins import require_extra

with require_extra("ray"):
    import ray
    from ray.exceptions import ObjectLostError, OutOfMemoryError, RayActorError, RayTaskError

MAX_LOSSES = 3
"""How often in a row a worker may be lost without a new record before its episodes are given up."""

_BATCHES = 4
_LOSSES = (RayActorError, ObjectLostError, OutOfMemoryError)
_OBJECT_STORE_BYTES = 100 * 2**20  # records are small; Ray's own choice may be more than /dev/shm has


def play(settings: RunSettings, seeds: Sequence[int], means: Means) -> Generator[EpisodeRecord, None, None]:
    """Play one episode from each seed; see `Backend`.

    Every processor of the cluster gets a worker, which plays some episodes as the local backend does,
    `means.num_envs` at the same time, hands over each record at once, and goes on with others. If a worker is lost,
    what it had not handed over is played again by a new one. Achievements are not watched. Recorded trajectories are
    written on the machine of the worker.
    """
    with _cluster():
        team = _Team(settings, seeds, replace(means, watch=ignore))
        try:
            for _ in seeds:
                yield team.next_record()
        finally:
            team.stop()


class _Player:
    """What runs in a process of its own on the cluster."""

    def play(self, settings: RunSettings, seeds: list[int], means: Means) -> Iterator[EpisodeRecord]:
        """Play some episodes, perhaps none."""
        for record in local.play(settings, seeds, means) if seeds else ():  # noqa: UP028  Ray would send values in
            yield record


@dataclass(slots=True)
class _Worker:
    """A player as this process sees it.

    Attributes:
        seeds: Of the episodes it has been given and whose records have not come yet.
        losses: How often in a row it was lost.
        player: The handle of its process.
        records: Yields references to records as they come.
    """

    seeds: list[int] = field(default_factory=list)
    losses: int = 0
    player: Any = None
    records: Any = None


class _Team:
    """The workers, and the episodes that none of them has been given yet.

    They are actors, because those can be stopped at any time: Ray ends the process that calls `ray.cancel` for a task
    whose end is just being reported (https://github.com/ray-project/ray/pull/54798 tells of such races).
    """

    def __init__(self, settings: RunSettings, seeds: Sequence[int], means: Means) -> None:
        self._settings = settings
        self._means = means
        num_workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        size = _chunk_size(len(seeds), num_workers, means.num_envs)
        self._waiting = deque(list(seeds[start : start + size]) for start in range(0, len(seeds), size))
        # They begin without episodes: whoever is there first gets some, and no episode waits for a busy processor.
        self._workers = [_Worker() for _ in range(min(num_workers, len(self._waiting)))]
        for worker in self._workers:
            self._start(worker)

    def next_record(self) -> EpisodeRecord:
        """Wait for the next record of any worker.

        Returns:
            The record.

        Raises:
            Exception: What an agent or environment raised.
            RuntimeError: If a worker is lost too often.
        """
        while True:
            by_records = {worker.records: worker for worker in self._workers}
            (ready,), _ = ray.wait(list(by_records), num_returns=1)
            worker = by_records[ready]
            try:
                record: EpisodeRecord = ray.get(next(ready))
            except StopIteration:
                self._go_on(worker)
            except RayTaskError as error:  # not Ray's fault: what the player itself raised
                raise error.cause from None
            except _LOSSES as error:
                self._replace(worker, error)
            else:
                worker.seeds.remove(record.seed)
                worker.losses = 0
                return record

    def stop(self) -> None:
        """End all processes, in the middle of an episode too."""
        for worker in self._workers:
            ray.kill(worker.player)

    def _start(self, worker: _Worker) -> None:
        worker.player = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Player).remote()
        self._send(worker)

    def _send(self, worker: _Worker) -> None:
        """Have a worker play what it has been given."""
        method = worker.player.play.options(num_returns="streaming")
        worker.records = method.remote(self._settings, worker.seeds, self._means)

    def _go_on(self, worker: _Worker) -> None:
        """Give a worker further episodes, or let it go if there are none."""
        if self._waiting:
            worker.seeds = self._waiting.popleft()
            self._send(worker)
        else:
            self._workers.remove(worker)
            ray.kill(worker.player)

    def _replace(self, worker: _Worker, error: Exception) -> None:
        """Put a new process in the place of a lost one, unless that has been tried often enough."""
        worker.losses += 1
        if worker.losses > MAX_LOSSES:
            raise RuntimeError(
                f"A worker was lost {worker.losses} times at the episodes of seeds {worker.seeds}, the last time by: "
                f"{error}. Look for memory that runs out, or give --num-envs a smaller number."
            ) from error
        ray.kill(worker.player)  # it may be out of reach only
        self._start(worker)


def _chunk_size(num_seeds: int, num_workers: int, num_envs: int) -> int:
    """How many episodes a worker gets at once: enough to refill its environments, few enough for all to have some."""
    return max(1, min(-(-num_seeds // num_workers), _BATCHES * num_envs))


@contextlib.contextmanager
def _cluster() -> Iterator[None]:
    """The cluster that there is, or one on this machine for as long as it is needed."""
    if ray.is_initialized():
        yield
        return
    address = os.environ.get("RAY_ADDRESS") or "local"  # without one, Ray would join whatever ran last, be it dead
    own = {"include_dashboard": False, "object_store_memory": _OBJECT_STORE_BYTES} if address == "local" else {}
    ray.init(address, log_to_driver=False, **own)
    try:
        yield
    finally:
        ray.shutdown()
