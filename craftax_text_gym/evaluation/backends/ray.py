"""Episodes on a Ray cluster: on this machine, or the one that `RAY_ADDRESS` or an earlier `ray.init` names."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from craftax_text_gym.episode import EpisodeRecord
from craftax_text_gym.evaluation.backends import Means, local
from craftax_text_gym.evaluation.episodes import ignore
from craftax_text_gym.evaluation.settings import Settings
from craftax_text_gym.extras import needed

with needed("ray"):
    import ray
    from ray.exceptions import NodeDiedError, ObjectLostError, OutOfMemoryError, RayTaskError, WorkerCrashedError

MAX_LOSSES = 3
"""How often in a row a task may be lost without a new record before it is given up."""

_BATCHES = 4
_LOSSES = (WorkerCrashedError, NodeDiedError, ObjectLostError, OutOfMemoryError)


@dataclass(slots=True)
class _Task:
    """Episodes that one worker plays.

    Attributes:
        seeds: Those whose records have not come yet.
        records: The references to records that Ray yields as they come.
        losses: How often in a row the worker was lost.
    """

    seeds: list[int]
    records: Any
    losses: int = 0


def play(settings: Settings, seeds: Sequence[int], means: Means) -> Generator[EpisodeRecord, None, None]:
    """Play one episode from each seed; see `Backend`.

    Every task plays some episodes as the local backend does, `means.num_envs` at the same time, and hands over each
    record at once. If its worker is lost, what it had not handed over is played again elsewhere. Achievements are not
    watched. Recorded trajectories are written on the machine of the worker.
    """
    with _cluster():
        size = _chunk_size(len(seeds), means.num_envs)
        chunks = [list(seeds[start : start + size]) for start in range(0, len(seeds), size)]
        tasks = [_Task(chunk, _submit(settings, chunk, means)) for chunk in chunks]
        try:
            yield from _collect(tasks, settings, means)
        finally:
            for task in tasks:
                ray.cancel(task.records, force=True)


def _collect(tasks: list[_Task], settings: Settings, means: Means) -> Iterator[EpisodeRecord]:
    """The records of all tasks as they come."""
    open_tasks = {task.records: task for task in tasks}
    while open_tasks:
        (ready,), _ = ray.wait(list(open_tasks), num_returns=1)
        task = open_tasks.pop(ready)
        try:
            record: EpisodeRecord = ray.get(next(ready))
        except StopIteration:
            continue
        except RayTaskError as error:  # not Ray's fault: what the task itself raised
            raise error.cause from None
        except _LOSSES as error:
            task.losses += 1
            if task.losses > MAX_LOSSES:
                raise RuntimeError(
                    f"A worker was lost {task.losses} times at the episodes of seeds {task.seeds}, the last time by: "
                    f"{error}. Look for memory that runs out, or give --num-envs a smaller number."
                ) from error
            task.records = _submit(settings, task.seeds, means)
        else:
            task.seeds.remove(record.seed)
            task.losses = 0
            yield record
        open_tasks[task.records] = task


def _submit(settings: Settings, seeds: Sequence[int], means: Means) -> Any:
    """Have some episodes played; what comes back yields references to their records."""
    remote = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(_play_some)
    return remote.remote(settings, list(seeds), replace(means, watch=ignore))


def _play_some(settings: Settings, seeds: list[int], means: Means) -> Generator[EpisodeRecord, None, None]:
    """What a worker does."""
    for record in local.play(settings, seeds, means):  # noqa: UP028  Ray sends values in, which must go no further
        yield record


def _chunk_size(num_seeds: int, num_envs: int) -> int:
    """How many episodes a task has: enough to refill its environments, few enough for every processor to have some."""
    num_workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
    return max(1, min(-(-num_seeds // num_workers), _BATCHES * num_envs))


@contextlib.contextmanager
def _cluster() -> Iterator[None]:
    """The cluster that there is, or one on this machine for as long as it is needed."""
    if ray.is_initialized():
        yield
        return
    # Without an address Ray would join whatever cluster was last started on this machine, be it dead.
    ray.init(os.environ.get("RAY_ADDRESS", "local"), log_to_driver=False)
    try:
        yield
    finally:
        ray.shutdown()
