# SPDX-License-Identifier: BSD-3-Clause
"""Carries out a plan on an executor. The longest co-simulations come first; replays follow once a recording exists."""

from __future__ import annotations

import dataclasses
import functools
import math
import queue
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor

from hypermon._engine import replays
from hypermon._engine.sweeping import tasks
from hypermon._engine.sweeping.claims import LOOK_S, TOUCH_S, TakenError
from hypermon._engine.sweeping.plan import Group, Plan, cosim_detail
from hypermon._engine.sweeping.store import COSIM, COUNTS, FULL, JUDGED, REPLAY, Entry, Store
from hypermon._engine.sweeping.tasks import Outcome, Task
from hypermon._engine.workers import Workers
from hypermon._model.spec import Spec
from hypermon.errors import DamagedError

# (chosen) Designs per task. A task takes a few seconds, so that little work is lost if the sweep is killed.
CHUNK = {COUNTS: 2500, FULL: 4, JUDGED: 4}
Progress = Callable[[int, int], None]  # newly finished points, and the number of failed ones among them
Done = Future[Outcome]
Then = Callable[[Outcome], None]
Work = Callable[..., Outcome]


def run(
    plan: Plan,
    store: Store,
    versions: Mapping[str, str],
    jobs: int,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Computes the missing points of the plan and stores them. Returns the outcomes of all points, including failures.

    A shared store may show the latest results of other machines with a delay. The returned outcomes include them.

    Without an executor, the tasks run in threads. These keep all processors busy, since each waits for a worker process
    or runs a replay, which is C++ code without the GIL. Threads share recordings in memory and need no
    `if __name__ == "__main__"`. An interrupt ends the workers at once.
    """
    if executor is not None:
        return _Run(plan, store, versions, jobs, executor, progress, None).all()
    workers = Workers()
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        return _Run(plan, store, versions, jobs, pool, progress, workers).all()
    except BaseException:
        workers.stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Run:
    """The execution of a plan, with the running tasks and the outcomes so far."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        versions: Mapping[str, str],
        jobs: int,
        executor: Executor,
        progress: Progress | None,
        workers: Workers | None,
    ) -> None:
        self._plan = plan
        self._store = store
        self._versions = dict(versions)
        self._jobs = jobs
        self._executor = executor
        self._progress = progress
        self._workers = (workers,) if workers is not None else ()  # None with a given executor: they cannot be pickled
        self._finished: queue.SimpleQueue[Done] = queue.SimpleQueue()
        self._under_way: dict[Done, tuple[Work, Task, Then]] = {}
        self._elsewhere: list[tuple[Work, Task, Then]] = []  # tasks that another process has claimed
        self._look_s = LOOK_S
        self._outcome: Outcome = {}  # outcomes of the points so far
        self._again: dict[str, list[tuple[str, ...]]] = {}  # points that wait for a recording to be made again
        self._replaced: set[str] = set()  # recordings that were made again
        self._repeated: set[tuple[str, ...]] = set()  # repeated tasks: their recording and points

    def all(self) -> Outcome:
        left = self._plan.to_do()
        recorded = {group.key: group.recorded for group in left.recordings}
        members = {group.key: group for group in left.groups}
        try:
            for key in longest_first(recorded):
                self._record(members[key], functools.partial(self._recorded, members[key]))
            for group in left.groups:
                if group.key not in recorded:
                    self._replay(group)
            for key in longest_first({key: self._plan.specs[key] for key in left.cosims}):
                task = self._task({key: self._plan.specs[key]}, cosim_detail(self._plan.detail))
                self._submit(tasks.simulate, task, self._points)
            while self._under_way or self._elsewhere:
                try:
                    future = self._finished.get(timeout=self._look_s if self._elsewhere else None)
                except queue.Empty:
                    self._retry_claimed()
                    continue
                work, task, then = self._under_way.pop(future)
                if _is(TakenError, future):
                    self._elsewhere.append((work, task, then))
                    continue
                self._look_s = LOOK_S
                again = not task.given and (task.recording, *task.specs) not in self._repeated
                if again and _is(DamagedError, future):
                    self._record_again(members[task.recording], task)
                else:
                    then(_outcome(future, task))
        except BaseException:
            for future in self._under_way:
                future.cancel()
            raise
        if self._plan.specs.keys() <= self._outcome.keys():
            return self._outcome
        return self._store.load() | self._outcome

    def _retry_claimed(self) -> None:
        """Submits the tasks again that other processes have claimed.

        If the other process is done, the task finds its result in the store; if it is dead, the task is done here.
        The polling interval doubles while neither is the case.
        """
        self._look_s = min(2 * self._look_s, TOUCH_S)
        elsewhere, self._elsewhere = self._elsewhere, []
        for work, task, then in elsewhere:
            self._submit(work, task, then)

    def _record(self, group: Group, then: Then, anew: bool = False) -> None:
        self._submit(tasks.record, self._task({group.key: group.recorded}, anew=anew), then)

    def _record_again(self, group: Group, task: Task) -> None:
        """Makes a damaged recording again, and then repeats the task. Both happen at most once."""
        points = tuple(task.specs)
        self._repeated.add((group.key, *points))
        if group.key in self._replaced:  # for another task, while this one read the damaged file
            self._replay(dataclasses.replace(group, members=points))
            return
        waiting = self._again.setdefault(group.key, [])
        waiting.append(points)
        if len(waiting) == 1:
            self._record(group, functools.partial(self._recorded_again, group), anew=True)

    def _recorded_again(self, group: Group, outcome: Outcome) -> None:
        self._replaced.add(group.key)
        for members in self._again.pop(group.key):
            self._recorded(dataclasses.replace(group, members=members), outcome)

    def _task(self, specs: Mapping[str, Spec], detail: str = FULL, recording: str = "", anew: bool = False) -> Task:
        given = str(self._plan.given) if self._plan.given is not None else ""
        return Task(str(self._store.folder), self._versions, specs, detail, recording, given, anew)

    def _submit(self, work: Work, task: Task, then: Then) -> None:
        simulates = work is not tasks.replay
        future = self._executor.submit(work, task, *(self._workers if simulates else ()))
        self._under_way[future] = work, task, then
        future.add_done_callback(self._finished.put)

    def _points(self, outcome: Outcome) -> None:
        self._outcome |= outcome
        if self._progress is not None:
            self._progress(len(outcome), sum(entry.error != "" for entry in outcome.values()))

    def _recorded(self, group: Group, outcome: Outcome) -> None:
        error = outcome[group.key].error
        if error:
            self._points(
                {key: Entry(REPLAY, FULL, {}, error=f"the recording failed: {error}") for key in group.members}
            )
        else:
            self._replay(group)

    def _replay(self, group: Group) -> None:
        for keys in chunks(group, self._plan.specs, self._plan.detail, self._jobs):
            specs = {key: self._plan.specs[key] for key in keys}
            self._submit(tasks.replay, self._task(specs, self._plan.detail, group.key), self._points)


def _outcome(future: Done, task: Task) -> Outcome:
    """Returns the outcome of a task. If the task could not run, all its points have failed."""
    try:
        return future.result()
    except Exception as error:  # a dead process of the pool, a lost machine
        return {key: Entry(COSIM, FULL, {}, error=f"{type(error).__name__}: {error}") for key in task.specs}


def _is(kind: type[Exception], future: Done) -> bool:
    """Has the task ended with an error of this kind?"""
    try:
        future.result()
    except Exception as error:
        return isinstance(error, kind)
    return False


def longest_first(specs: Mapping[str, Spec]) -> list[str]:
    """Sorts by the product of all integer parameters (chosen), such as numbers of nodes, events or cells.

    Such counts determine the length of a run, while times and rates hardly do.
    """

    def size(key: str) -> float:
        values = specs[key].values.items()
        return sum(math.log(v) for path, v in values if type(v) is int and v > 0 and not path.endswith("seed"))

    return sorted(specs, key=lambda key: -size(key))


def chunks(group: Group, specs: Mapping[str, Spec], detail: str, jobs: int) -> list[list[str]]:
    """Divides a group's points into tasks. Points that share work in a replay stay together unless jobs would idle."""
    fronts: dict[Hashable, list[str]] = {}
    for key in group.members:
        how = replays.find(specs[key])
        fronts.setdefault(how.in_common(specs[key]) if how is not None else None, []).append(key)
    size = min(CHUNK[detail], math.ceil(len(group.members) / jobs))
    made: list[list[str]] = []
    for keys in fronts.values():
        if made and len(made[-1]) + len(keys) <= size:
            made[-1] += keys
        else:
            made += [keys[i : i + size] for i in range(0, len(keys), size)]
    return made
