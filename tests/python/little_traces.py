# SPDX-License-Identifier: BSD-3-Clause
"""Random time-independent traces that any MPI could have written: several steps of all ranks' actions."""

from __future__ import annotations

import random
from collections.abc import Callable

TYPES = range(7)  # SimGrid's numbers
COUNTS = (0, 1, 7, 100, 3000, 20_000)
ANY_SOURCE, ANY_TAG = -555, -444


def trace(r: random.Random, ranks: int, steps: int) -> list[list[str]]:
    """The lines of each rank."""
    lines = [[f"{rank} init"] for rank in range(ranks)]
    for _ in range(steps):
        for rank, actions in enumerate(r.choice(STEPS)(r, ranks)):
            lines[rank] += [f"{rank} {action}" for action in actions]
    for rank, of_rank in enumerate(lines):
        of_rank.append(f"{rank} finalize")
    return lines


def _alone(r: random.Random, n: int) -> list[list[str]]:
    computes = [f"compute {r.random() * 10 ** r.randrange(9)}" for _ in range(n)]
    return [[r.choice((compute, f"sleep {r.random() * 1e-3:.6g}"))] for compute in computes]


def _same(r: random.Random, n: int) -> list[list[str]]:
    """A collective with the same arguments everywhere."""
    count, type_, root, flops = r.choice(COUNTS), r.choice(TYPES), r.randrange(n), r.choice((0, 1, 12345.5))
    parts = " ".join(str(r.choice(COUNTS) // n) for _ in range(n))
    action = r.choice((
        "barrier", f"bcast {count} {root} {type_}", f"reduce {count} {flops} {root} {type_}",
        f"allreduce {count} {flops} {type_}", f"gather {count} {count} {root} {type_} {type_}",
        f"scatter {count} {count} {root} {type_} {type_}", f"allgather {count} {count} {type_} {type_}",
        f"alltoall {count // n} {count // n} {type_} {type_}", f"reducescatter {parts} {flops} {type_}",
    ))  # fmt: skip
    return [[action]] * n


def _parts(r: random.Random, n: int) -> list[list[str]]:
    """A collective operation with different counts on the ranks."""
    counts, type_, root = [r.choice(COUNTS) // n for _ in range(n)], r.choice(TYPES), r.randrange(n)
    each = " ".join(map(str, counts))
    kind = r.choice(("gatherv", "allgatherv", "scatterv", "alltoallv"))
    if kind == "gatherv":
        return [[f"gatherv {mine} {each} {root} {type_} {type_}"] for mine in counts]
    if kind == "allgatherv":
        return [[f"allgatherv {mine} {each} {type_} {type_}"] for mine in counts]
    if kind == "scatterv":
        return [[f"scatterv {each} {mine} {root} {type_} {type_}"] for mine in counts]
    sent = [[r.choice(COUNTS) // n for _ in range(n)] for _ in range(n)]
    lines = []
    for rank in range(n):
        out, into = sent[rank], [row[rank] for row in sent]
        lists = (sum(out), *out, sum(into), *into, type_, type_)
        lines.append([f"alltoallv {' '.join(map(str, lists))}"])
    return lines


def _ring(r: random.Random, n: int) -> list[list[str]]:
    """A message from each rank to the next."""
    what = f"{r.randrange(3)} {r.choice((1, 100, 5000, 70_000))} {r.choice(TYPES)}"
    tag = what.split()[0]
    kind = r.choice(("waitall", "waits", "tests", "blocking", "any", "sendRecv"))
    lines = []
    for rank in range(n):
        to, of = (rank + 1) % n, (rank - 1) % n
        begin = [f"irecv {of} {what}", f"isend {to} {what}", f"compute {r.randrange(10**6)}"]
        waits = [f"wait {of} {rank} {tag}", f"wait {rank} {to} {tag}"]
        first = rank % 2 == 0 and rank < n - 1
        of_any = f"recv {ANY_SOURCE} {r.choice((tag, ANY_TAG))} {' '.join(what.split()[1:])}"
        lines.append({
            "waitall": [*begin, r.choice(("waitall", "waitall 2"))],
            "waits": [*begin, *waits],
            "tests": [*begin, f"test {of} {rank} {tag}", "waitall 2"],
            "blocking": [f"send {to} {what}", f"recv {of} {what}"][:: 1 if first else -1],
            "any": [f"send {to} {what}", of_any][:: 1 if first else -1],
            "sendRecv": [f"sendRecv {what.split()[1]} {to} {what.split()[1]} {of} {tag} {tag}"],
        }[kind])  # fmt: skip
    return lines


STEPS: tuple[Callable[[random.Random, int], list[list[str]]], ...] = (
    _alone,
    _alone,
    _same,
    _same,
    _parts,
    _ring,
    _ring,
)
