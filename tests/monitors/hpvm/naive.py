# SPDX-License-Identifier: BSD-3-Clause
"""HPVM's collection once more, without events: everything advances by one microsecond at a time.

There is one monitor thread, and one more for each rule. The nodes are idle; their kernels serve queries one after the
other without interruption. The network is limited only by its cables, which transfers share evenly. All times are whole
microseconds, and a byte takes one. Rules judge cpu.kernel, the time spent on serving queries, so that a rule changes
the counter that it judges.
"""

from __future__ import annotations

from dataclasses import dataclass, field

CLOSE = 12  # tolerance in microseconds: where the order of steps depends on less, nothing is tested


@dataclass
class Sweeps:
    """The queries that are sent to a node, and their interval."""

    queries: list[tuple[int, int]]  # object, values
    interval: int
    judged: int | None = None  # the query whose answer has cpu.kernel


@dataclass
class Rule:
    sweeps: Sweeps
    below: bool
    threshold: float  # threshold of cpu.kernel's share


@dataclass
class Design:
    nodes: int
    base: Sweeps
    query: int
    value: int
    request: int
    reply: int
    value_bytes: int
    flight: int
    until: int
    rules: list[Rule] = field(default_factory=list)


@dataclass
class Job:
    """A query on its way to a node. `by` is 0 for the base's thread, then the number of the rule."""

    by: int
    query: int
    thing: int
    values: int


@dataclass
class Transfer:
    """Bytes on a cable, then `flight` in the air."""

    left: float
    node: int
    job: Job
    answer: bool
    arrives: int = -1


@dataclass
class Node:
    waiting: dict[int, list[Job]] = field(default_factory=dict)  # by object
    # by object: the query that it serves or whose answer it sends
    serving: dict[int, Job] = field(default_factory=dict)
    # work of the kernel, in order of arrival: object, remaining time
    work: list[list[int]] = field(default_factory=list)
    worked: int = 0
    # by thread: time of its last query there, or of the last begin of work
    last: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    node: int
    by: int
    query: int
    taken: int
    arrived: int


@dataclass
class Thread:
    sweeps: Sweeps
    next_sweep: int = 1
    asked: list[int] = field(default_factory=list)  # nodes of the sweep
    place: int = -1  # place among the queries; -1: none is open
    to_send: list[int] = field(default_factory=list)
    open: int = 0  # answers that have not arrived
    missed: int = 0
    missed_nodes: int = 0  # number of nodes in all missed sweeps


@dataclass
class Judged:
    """A rule's view of a node."""

    last: tuple[int, int] | None = None
    holds: bool = False
    changed: int = -CLOSE


class Naive:
    """Runs when it is made. `answers` are in the order of their arrival; `missed` counts sweeps."""

    def __init__(self, design: Design) -> None:
        self.d = design
        self.nodes = [Node() for _ in range(design.nodes)]
        self.transfers: list[Transfer] = []
        self.answers: list[Answer] = []
        self.taken: dict[tuple[int, int, int], tuple[int, int]] = {}
        self.threads = [Thread(design.base), *(Thread(rule.sweeps) for rule in design.rules)]
        self.judged = [[Judged() for _ in self.nodes] for _ in design.rules]
        self.fired = [0 for _ in design.rules]
        self.first: list[int | None] = [None for _ in design.rules]
        self.is_close = False  # True if the outcome depends on a few microseconds.
        for now in range(design.until):
            self.now = now
            while self.step():
                pass
            self.move()

    @property
    def missed(self) -> int:
        return self.threads[0].missed

    def step(self) -> bool:
        """Performs one step that is due at this instant, and returns whether there was one."""
        return self.land() or self.serve() or any(self.ask(by) for by in range(len(self.threads)))

    def land(self) -> bool:
        for transfer in self.transfers:
            if transfer.arrives == self.now:
                self.transfers.remove(transfer)
                if transfer.answer:
                    self.bring(transfer.node, transfer.job)
                else:
                    node, thing = self.nodes[transfer.node], transfer.job.thing
                    node.waiting.setdefault(thing, []).append(transfer.job)
                    self.note(node, transfer.job.by)
                return True
        return False

    def note(self, node: Node, by: int) -> None:
        self.is_close |= any(self.now - when < CLOSE for other, when in node.last.items() if other != by)
        node.last[by] = self.now

    def bring(self, number: int, job: Job) -> None:
        taken, worked = self.taken[number, job.by, job.query]
        self.answers.append(Answer(number, job.by, job.query, taken, self.now))
        self.threads[job.by].open -= 1
        if job.query == self.threads[job.by].sweeps.judged:
            for rule in range(len(self.d.rules)):
                self.judge(rule, number, taken, worked)

    def judge(self, rule: int, number: int, taken: int, worked: int) -> None:
        asked, seen = self.d.rules[rule], self.judged[rule][number]
        if seen.last is None:
            seen.last = (taken, worked)
            return
        since, growth = taken - seen.last[0], worked - seen.last[1]
        shortest = min(asked.sweeps.interval, self.d.base.interval)
        self.is_close |= abs(2 * since - shortest) < CLOSE
        if 2 * since < shortest:
            return
        seen.last = (taken, worked)
        self.is_close |= abs(growth / since - asked.threshold) < CLOSE / since
        holds = growth / since < asked.threshold if asked.below else growth / since > asked.threshold
        if holds != seen.holds:
            seen.changed = self.now
        if holds and not seen.holds:
            self.fired[rule] += 1
            self.first[rule] = self.now if self.first[rule] is None else self.first[rule]
        seen.holds = holds

    def serve(self) -> bool:
        for number, node in enumerate(self.nodes):
            for thing, queue in node.waiting.items():
                if queue and thing not in node.serving:  # one at a time
                    job = node.serving[thing] = queue.pop(0)
                    self.note(node, job.by)
                    node.work.append([thing, self.d.query + self.d.value * job.values])
                    return True
            if node.work and node.work[0][1] == 0:
                thing, _ = node.work.pop(0)
                job = node.serving[thing]
                self.taken[number, job.by, job.query] = (self.now, node.worked)
                size = self.d.reply + self.d.value_bytes * job.values
                self.transfers.append(Transfer(size, number, job, answer=True))
                return True
        return False

    def ask(self, by: int) -> bool:
        thread = self.threads[by]
        queries = thread.sweeps.queries
        if thread.place < 0:
            if self.now < thread.next_sweep * thread.sweeps.interval:
                return False
            thread.asked = [n for n in range(self.d.nodes) if by == 0 or self.holds(by - 1, n)]
            if not thread.asked:
                thread.next_sweep += 1
                return True
            thread.place, thread.to_send, thread.open = 0, list(range(len(queries))), len(queries)
            return True
        sending = any(not t.answer and t.job.by == by and t.arrives < 0 for t in self.transfers)
        if thread.to_send and not sending:
            query = thread.to_send.pop(0)
            job = Job(by, query, *queries[query])
            self.transfers.append(Transfer(self.d.request, thread.asked[thread.place], job, answer=False))
            return True
        if thread.open == 0:
            thread.place += 1
            if thread.place < len(thread.asked):
                thread.to_send, thread.open = list(range(len(queries))), len(queries)
            else:
                self.end_sweep(thread)
            return True
        return False

    def holds(self, rule: int, number: int) -> bool:
        seen = self.judged[rule][number]
        self.is_close |= self.now - seen.changed < CLOSE
        return seen.holds

    def end_sweep(self, thread: Thread) -> None:
        thread.place = -1
        last = thread.next_sweep
        late = self.now % thread.sweeps.interval
        self.is_close |= bool(self.d.rules) and min(late, thread.sweeps.interval - late) < CLOSE
        thread.next_sweep = max(last + 1, -(-self.now // thread.sweeps.interval))
        thread.missed += thread.next_sweep - last - 1
        thread.missed_nodes += (thread.next_sweep - last - 1) * len(thread.asked)

    def move(self) -> None:
        on_cable = [t for t in self.transfers if t.arrives < 0]
        sharing = {answer: sum(t.answer == answer for t in on_cable) for answer in (False, True)}
        for transfer in on_cable:
            transfer.left -= 1 / sharing[transfer.answer]
            if transfer.left <= 1e-9:
                transfer.arrives = self.now + 1 + self.d.flight
                if transfer.answer:
                    del self.nodes[transfer.node].serving[transfer.job.thing]
        for node in self.nodes:
            if node.work:
                node.work[0][1] -= 1
                node.worked += 1
