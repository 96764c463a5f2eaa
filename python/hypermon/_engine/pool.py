# SPDX-License-Identifier: BSD-3-Clause
"""Jobs in threads, so many at a time, some of which follow from what others gave."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from hypermon._engine.workers import Workers
from hypermon.errors import HypermonError

T = TypeVar("T")


class Pool:
    """Each thread waits for a worker, which is a process, or is in a replay: C++ without the interpreter's lock.

    Attributes:
        workers: What the jobs simulate with: an interrupt ends its processes at once.
    """

    def __init__(self, jobs: int) -> None:
        self.workers = Workers()
        self._jobs = max(1, jobs)
        self._ready: deque[tuple[Callable[[], Any], Callable[[Any], None]]] = deque()

    def add(self, work: Callable[[], T], then: Callable[[T | HypermonError], None], *, at_once: bool = False) -> None:
        """To be done after all others, or before them.

        `then`: gets what `work` gave, or its HypermonError, in the thread that carries all out; it may add more.
        """
        (self._ready.appendleft if at_once else self._ready.append)((work, then))

    def carry_out(self) -> None:
        """All jobs, until there are none. Any other error than a HypermonError ends the others."""
        # Not waited for by single runs.
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
