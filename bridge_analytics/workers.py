"""Who does the work: threads of this process, or the workers of a Dask cluster; each step by itself, in any order."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from types import MappingProxyType
from typing import Any

BASE, EACH = 450 << 20, 600 << 20
"""Bytes that Python and its libraries take, and a bucket while it is compared."""

_UNITS = MappingProxyType({"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30})

Task = Mapping[str, Any]
Step = Callable[[Task], dict[str, Any]]


def memory_in_bytes(memory: str | int) -> int:
    """A size of memory in bytes.

    Raises
    ------
    ValueError
        If it is none, or less than a run needs.

    Examples
    --------
    >>> memory_in_bytes("2GB"), memory_in_bytes("1.5 GiB")
    (2000000000, 1610612736)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?i?)b?", str(memory).strip().lower())
    if not found or found[2] not in _UNITS:
        raise ValueError(f"expected memory such as '2GB' or '800MiB', got {memory!r}")
    size = int(float(found[1]) * _UNITS[found[2]])
    if size < BASE:
        raise ValueError(f"expected at least {BASE >> 20} MiB of memory, got {memory!r}")
    return size


def threads_for(room: int) -> int:
    """How many buckets this process may compare at a time: no more than it has cores, or memory."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, (room - BASE) // EACH))


def done_steps(step: Step, tasks: Sequence[Task], client: Any, threads: int) -> Iterator[tuple[Task, dict[str, Any]]]:
    """Each task with what the step made of it, as they are done.

    Parameters
    ----------
    step : function
        Of one task; the same result each time, so that it may be done again.
    tasks : sequence of mapping
    client : distributed.Client or None
        Who does it; None for threads of this process.
    threads : int
        How many of those.

    Raises
    ------
    RuntimeError
        If workers of the cluster were lost several times on the same task.
    """
    if client is not None:
        yield from _on_cluster(step, tasks, client)
        return
    with ThreadPoolExecutor(threads) as pool:
        going = {pool.submit(step, task): task for task in tasks}
        try:
            for future in as_completed(going):
                yield going.pop(future), future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _on_cluster(step: Step, tasks: Sequence[Task], client: Any) -> Iterator[tuple[Task, dict[str, Any]]]:
    from distributed import KilledWorker
    from distributed import as_completed as completed

    going: dict[Any, Task] = {client.submit(step, task, pure=False): task for task in tasks}
    try:
        for future in completed(list(going)):  # type: ignore[no-untyped-call,unused-ignore]
            task = going.pop(future)
            try:
                yield task, future.result()
            except KilledWorker as error:
                raise RuntimeError(
                    f"expected the workers of the cluster to live, got several lost on {task.get('name')!r}: give each "
                    "more memory; the same call goes on with what is left"
                ) from error
    finally:
        client.cancel(list(going))
