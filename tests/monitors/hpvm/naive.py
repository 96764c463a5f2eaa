"""HPVM's collection once more, without events: everything moves a microsecond at a time.

One monitor thread, nodes that idle (their kernels work off what is asked of them in one piece, one after the other), and
a network whose only limits are the cables, shared evenly. All its times are whole microseconds, a byte takes one.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Design:
    nodes: int
    queries: list[tuple[int, int]]  # of a node: object, values
    interval: int
    query: int
    value: int
    request: int
    reply: int
    value_bytes: int
    flight: int
    until: int


@dataclass
class Transfer:
    """Bytes on a cable, then `flight` in the air."""

    left: float
    node: int
    what: tuple[int, int]  # query of the node, object
    answer: bool
    arrives: int = -1


@dataclass
class Node:
    waiting: dict[int, list[int]] = field(default_factory=dict)  # by object: queries
    serving: dict[int, int] = field(default_factory=dict)  # by object: the query that it works on, or sends
    work: list[list[int]] = field(default_factory=list)  # of the kernel, first come first served: object, what is left


@dataclass(frozen=True)
class Answer:
    node: int
    query: int
    taken: int
    arrived: int


class Naive:
    """Runs at once; `answers` in the order of their arrival, `missed` sweeps."""

    def __init__(self, design: Design) -> None:
        self.d = design
        self.nodes = [Node() for _ in range(design.nodes)]
        self.transfers: list[Transfer] = []
        self.answers: list[Answer] = []
        self.missed = 0
        self.taken: dict[tuple[int, int], int] = {}
        self.asking = -1  # the node that is asked; -1: none
        self.to_send: list[int] = []
        self.open = 0  # answers that are still to come
        self.next_sweep = 1
        for now in range(design.until):
            self.now = now
            while self.step():
                pass
            self.move()

    def step(self) -> bool:
        """Something that happens at this instant."""
        return self.land() or self.serve() or self.ask()

    def land(self) -> bool:
        for transfer in self.transfers:
            if transfer.arrives == self.now:
                self.transfers.remove(transfer)
                query, thing = transfer.what
                if transfer.answer:
                    self.answers.append(Answer(transfer.node, query, self.taken[transfer.node, query], self.now))
                    self.open -= 1
                else:
                    self.nodes[transfer.node].waiting.setdefault(thing, []).append(query)
                return True
        return False

    def serve(self) -> bool:
        for number, node in enumerate(self.nodes):
            for thing, queue in node.waiting.items():
                if queue and thing not in node.serving:  # one at a time
                    query = node.serving[thing] = queue.pop(0)
                    node.work.append([thing, self.d.query + self.d.value * self.d.queries[query][1]])
                    return True
            if node.work and node.work[0][1] == 0:
                thing, _ = node.work.pop(0)
                query = node.serving[thing]
                self.taken[number, query] = self.now
                size = self.d.reply + self.d.value_bytes * self.d.queries[query][1]
                self.transfers.append(Transfer(size, number, (query, thing), answer=True))
                return True
        return False

    def ask(self) -> bool:
        sending = any(not t.answer and t.arrives < 0 for t in self.transfers)
        if self.asking < 0:
            if self.now < self.next_sweep * self.d.interval:
                return False
            self.asking, self.to_send, self.open = 0, list(range(len(self.d.queries))), len(self.d.queries)
            return True
        if self.to_send and not sending:
            query = self.to_send.pop(0)
            self.transfers.append(
                Transfer(self.d.request, self.asking, (query, self.d.queries[query][0]), answer=False)
            )
            return True
        if self.open == 0:
            self.asking += 1
            if self.asking < self.d.nodes:
                self.to_send, self.open = list(range(len(self.d.queries))), len(self.d.queries)
            else:
                self.asking = -1
                last = self.next_sweep
                self.next_sweep = max(last + 1, -(-self.now // self.d.interval))
                self.missed += self.next_sweep - last - 1
            return True
        return False

    def move(self) -> None:
        answers = [t for t in self.transfers if t.answer and t.arrives < 0]
        for transfer in list(self.transfers):
            if transfer.arrives >= 0:
                continue
            transfer.left -= 1 / len(answers) if transfer.answer else 1
            if transfer.left <= 1e-9:
                transfer.arrives = self.now + 1 + self.d.flight
                if transfer.answer:
                    del self.nodes[transfer.node].serving[transfer.what[1]]
        for node in self.nodes:
            if node.work:
                node.work[0][1] -= 1
