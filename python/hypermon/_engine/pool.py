# SPDX-License-Identifier: BSD-3-Clause
"""A pool of threads with a bounded number of running jobs. A finished job may add further jobs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from hypermon._engine.workers import Workers
from hypermon.errors import HypermonError

T = TypeVar("T")


class Pool:
    """Runs jobs in threads. These run in parallel: each waits for a worker process or runs a replay without the GIL.

    Attributes:
        workers: The worker processes of the jobs. An interrupt ends them at once.
    """

    def __init__(self, jobs: int) -> None:
        self.workers = Workers()
        self._jobs = max(1, jobs)
        self._ready: deque[tuple[Callable[[], Any], Callable[[Any], None]]] = deque()

    def add(self, work: Callable[[], T], then: Callable[[T | HypermonError], None], *, at_once: bool = False) -> None:
        """Adds a job behind all waiting jobs, or in front of them if `at_once`.

        `then` is called with the result of `work`, or with its HypermonError, in the thread that called `carry_out`. It
        may add further jobs.
        """
        (self._ready.appendleft if at_once else self._ready.append)((work, then))

    def carry_out(self) -> None:
        """Runs all jobs until none is left. An error other than a HypermonError ends the remaining jobs."""
        # Imported here, since single runs do not need it and should start quickly.
        from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

        under_way: dict[Future[Any], Callable[[Any], None]] = {}
        threads = ThreadPoolExecutor(max_workers=self._jobs)
        try:
            while self._ready or under_way:
                while self._ready and len(under_way) < self._jobs:
                    work, then = self._ready.popleft()
                    under_way[threads.submit(work)] = then
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    under_way.pop(future)(_outcome(future))
        except BaseException:
            self.workers.stop()
            raise
        finally:
            threads.shutdown(wait=True, cancel_futures=True)


def _outcome(future: Any) -> Any:
    try:
        return future.result()
    except HypermonError as error:
        return error
