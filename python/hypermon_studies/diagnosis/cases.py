# SPDX-License-Identifier: BSD-3-Clause
"""Runs with known causes of slowness, which `hypermon study diagnosis` judges: random programs, nodes, faults and
clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

TRAINING = "training"  # name of the cases on which the rules were written
HEALTHY, NETWORK, HOST, BALANCE, BOTH = "nothing wrong", "network", "host", "balance", "network and host"
HARMLESS = "harmless"
Settings = Mapping[str, Any]

FUNCTIONS = (
    "Send", "Recv", "Sendrecv", "Isend", "Irecv", "Wait", "Waitall", "Waitany", "Probe", "Bcast", "Reduce", "Allreduce",
    "Alltoall", "Gather", "Scatter", "Barrier", "Finalize",
)  # fmt: skip
WATCHED: Settings = {
    "monitor": "hpvm",
    "hpvm.interval_s": 0.2,
    "hpvm.threads": 16,
    "hpvm.counters": " ".join(["host", *(f"mpi.time:MPI_{name}" for name in FUNCTIONS)]),
    "machine.topology": "fat_tree",
}


@dataclass(frozen=True)
class Case:
    """A run and its faults.

    Attributes:
        name: Name within its set.
        program: Name of the program.
        truth: The faults: HEALTHY, NETWORK, HOST, BALANCE or BOTH.
        fault: The faults in words.
        settings: Settings of the run.
        baseline: Settings of an undisturbed run of the same program.
        apart: Settings with a single fault, by cause, if the case has two faults at once.
    """

    name: str
    program: str
    truth: str
    fault: str
    settings: Settings
    baseline: Settings
    apart: Mapping[str, Settings] = field(default_factory=dict)


def _pingpong(draw: Random, _nodes: int) -> Settings:
    size = 2 ** draw.randint(19, 21)
    return {"pingpong.least_bytes": size, "pingpong.most_bytes": size, "pingpong.repeats": (400 << 20) // size}


def _ring(draw: Random, _nodes: int) -> Settings:
    return {
        "ring.numbers": draw.choice((32768, 65536, 131072)),
        "ring.steps": 500,
        "ring.number_ns": draw.choice((100, 300)),
    }


def _alltoall(draw: Random, nodes: int) -> Settings:
    return {
        "alltoall.numbers": 65536 // nodes,
        "alltoall.repeats": draw.randint(300, 500),
        "alltoall.number_ns": draw.choice((50, 200, 400)),
    }


def _halo(draw: Random, nodes: int) -> Settings:
    return {"halo.size": 48 * nodes, "halo.iterations": 150, "halo.point_ns": draw.randint(25, 40) * 1000 // nodes}


def _workers(draw: Random, nodes: int) -> Settings:
    return {"workers.tasks": 80 * nodes, "workers.points": draw.randint(1500, 2500)}


def _wavefront(draw: Random, _nodes: int) -> Settings:
    return {
        "wavefront.size": draw.choice((48, 96)),
        "wavefront.planes": draw.randint(16, 32),
        "wavefront.iterations": 8,
    }


def _cg(draw: Random, nodes: int) -> Settings:
    size = 16 * nodes
    return {
        "cg.size": size,
        "cg.iterations": 200,
        "cg.tolerance": 0,
        "cg.multiply_add_ns": draw.randint(300, 500) * 1000 // size,
    }


def _fft(draw: Random, nodes: int) -> Settings:
    return {"fft.size": 512, "fft.repeats": draw.randint(4, 7) * nodes, "fft.butterfly_ns": 500, "fft.copy_ns": 100}


def _cholesky(draw: Random, _nodes: int) -> Settings:
    return {"cholesky.size": draw.randint(22, 30) * 100, "cholesky.block": draw.choice((16, 24, 32))}


PROGRAMS: Mapping[str, Callable[[Random, int], Settings]] = {
    "pingpong": _pingpong,
    "ring": _ring,
    "alltoall": _alltoall,
    "halo": _halo,
    "workers": _workers,
    "wavefront": _wavefront,
    "cg": _cg,
    "fft": _fft,
    "cholesky": _cholesky,
}

POWERS_OF_TWO = ("fft",)


def drawn(seed: int, groups: int, healthy: int) -> Iterator[Case]:
    """Draws random cases: for each program `groups` groups, each with a size, a number of nodes and a baseline of its
    own.

    A group has `healthy` undisturbed cases, one with a neighbour, one with competitors, and one with both. If the
    program's work can be distributed unevenly, it also has such a case.
    """
    draw = Random(seed)
    for program, size in PROGRAMS.items():
        for group in range(groups):
            nodes = draw.choice((4, 8, 16) if program in POWERS_OF_TWO else (4, 6, 8, 10, 12, 16))
            given = {"workload": program, "nodes": nodes, **size(draw, nodes)}
            leaves = draw.choice([n for n in (2, 3, 4) if nodes % n == 0 and nodes // n > 1])
            cables = draw.choice((1, 2))

            def made(
                extra: Settings, given: Settings = given, shape: tuple[int, int, int] = (nodes, leaves, cables)
            ) -> Settings:
                return {**WATCHED, **given, **_clocks(draw), **_tree(*shape, "neighbour.count" in extra), **extra}

            baseline = made({})
            name = f"{seed}.{program}.{group}"
            for i in range(healthy):
                yield Case(f"{name}.healthy{i}", program, HEALTHY, "", made({}), baseline)
            load, description = _neighbour(draw, nodes)
            yield Case(f"{name}.network", program, NETWORK, description, made(load), baseline)
            others, text = _competitor(draw, program, nodes)
            yield Case(f"{name}.host", program, HOST, text, made(others), baseline)
            load, description = _neighbour(draw, nodes)
            others, text = _competitor(draw, program, nodes)
            apart = {NETWORK: made(load), HOST: made(others)}
            yield Case(
                f"{name}.both", program, BOTH, f"{description}; {text}", made({**load, **others}), baseline, apart
            )
            if program in UNEVEN:
                uneven, description = UNEVEN[program](given, nodes)
                yield Case(f"{name}.balance", program, BALANCE, description, made(uneven), baseline)


def _clocks(draw: Random) -> Settings:
    return {
        "seed": draw.randrange(1 << 30),
        "node.clock_drift_ppm": draw.choice((0, 25, 50, 100)),
        "node.clock_offset_us": draw.choice((0, 1000, 1000000)),
        "node.start_spread_us": draw.choice((0, 1000, 100000)),
    }


def _tree(nodes: int, leaves: int, cables: int, beside: bool) -> Settings:
    """Settings of nodes at `leaves` switches below one further switch. A neighbour's nodes, equally many, are at the
    same switches.
    """
    children = nodes // leaves * (2 if beside else 1)
    return {"machine.dimensions": f"{children}x{leaves};1x1;1x{cables}"}


def _neighbour(draw: Random, nodes: int) -> tuple[Settings, str]:
    numbers, pause = draw.choice((32768, 131072)), draw.choice((0, 100))
    settings = {
        "neighbour.count": 1,
        "neighbour.nodes": nodes,
        "neighbour.until": "program_end",
        "neighbour.start_s": draw.choice((0, 1)),
        "neighbour.arguments": f"numbers={numbers} repeats=10000000 number_ns={pause}",
    }
    return settings, f"all-to-all of {numbers * 8 >> 10} KiB beside it" + (", with pauses" if pause else "")


def _competitor(draw: Random, program: str, nodes: int) -> tuple[Settings, str]:
    node = draw.choice((0, nodes - 1)) if program == "pingpong" else draw.randrange(nodes)
    settings = {"competitor.count": 1, "competitor.nodes": str(node), "competitor.begin_s": draw.choice((0, 1))}
    threads = draw.randint(1, 4)
    if threads == 1:
        bound = {"competitor.processors": "0", "competitor.bind": True, "cpu.bind_ranks": True}
        return {**settings, **bound}, f"one thread bound to the rank's processor on node {node}"
    if draw.random() < 0.3:
        return (
            {**settings, "competitor.threads": threads + 1, "competitor.busy_ms": 500, "competitor.sleep_ms": 200},
            f"{threads + 1} threads that sleep now and then on node {node}",
        )
    return {**settings, "competitor.threads": threads}, f"{threads} threads on node {node}"


def _few_rows(given: Settings, nodes: int) -> tuple[Settings, str]:
    """The same work with 1.5 rows per node: half of the nodes have two."""
    size, before = nodes * 3 // 2, given["cg.size"]
    multiply_add_ns = given["cg.multiply_add_ns"] * before**2 / size**2
    return {"cg.size": size, "cg.multiply_add_ns": multiply_add_ns}, "the same work on 1.5 rows a node"


def _wide_panels(given: Settings, nodes: int) -> tuple[Settings, str]:
    block = given["cholesky.size"] * 2 // (3 * nodes)
    return {"cholesky.block": block}, f"panels of {block} columns"


UNEVEN: Mapping[str, Callable[[Settings, int], tuple[Settings, str]]] = {
    "cg": _few_rows,
    "cholesky": _wide_panels,
}


def training() -> Iterator[Case]:
    """Cases on which the rules were written: Cholesky, sampled twice as often as in `WATCHED`, on other trees."""
    faster = {**WATCHED, "hpvm.interval_s": 0.1, "workload": "cholesky"}
    neighbour = {"neighbour.count": 1, "neighbour.until": "program_end"}
    neighbour["neighbour.arguments"] = "numbers=131072 repeats=100000 number_ns=0"
    for nodes, size in ((4, 1500), (8, 2000), (12, 2000)):
        given = {**faster, "nodes": nodes, "cholesky.size": size}
        quiet, busy = f"4x{nodes // 4};1x1", f"4x{nodes // 2};1x1"
        threads = {"competitor.count": 1, "competitor.nodes": str(nodes - 1), "competitor.threads": 2}
        bound = {"competitor.processors": "0", "competitor.bind": True, "cpu.bind_ranks": True}
        faults: tuple[tuple[str, str, Settings], ...] = (
            (HEALTHY, "", {}),
            (NETWORK, "all-to-all of 1024 KiB beside it", neighbour),
            (HOST, f"2 threads on node {nodes - 1}", threads),
            (HOST, "one thread bound to the rank's processor on node 1",
             {**threads, **bound, "competitor.nodes": "1", "competitor.threads": 1}),
            (HOST, "one thread on node 1", {**threads, "competitor.nodes": "1", "competitor.threads": 1}),
            (BALANCE, "wide panels", {"cholesky.block": max(64, size * 10 // 13 // nodes)}),
            (BOTH, "all-to-all of 1024 KiB beside it; 6 threads on node 2",
             {**neighbour, **threads, "competitor.nodes": "2", "competitor.threads": 6}),
        )  # fmt: skip
        baseline = {**given, "seed": 1, "machine.dimensions": quiet}
        for i, (truth, description, extra) in enumerate(faults):
            more = {"neighbour.nodes": nodes} if "neighbour.count" in extra else {}
            tree = {"seed": 2 + i, "machine.dimensions": busy if more else quiet}
            settings, apart = {**given, **tree, **extra, **more}, {}
            if truth == BOTH:
                without = {f"{section}.count": 0 for section in ("neighbour", "competitor")}
                alone = {cause: {**settings, path: 0} for cause, path in zip((HOST, NETWORK), without, strict=True)}
                apart = {**alone, HOST: {**alone[HOST], "machine.dimensions": quiet}}
            yield Case(f"training.{nodes}.{i}", "cholesky", truth, description, settings, baseline, apart)


@dataclass(frozen=True)
class Outcome:
    """Result of a case.

    Attributes:
        elapsed_s, baseline_s: Elapsed times from the simulator, which the diagnosis does not see.
        harm: The faults that alone make the run a tenth longer than its baseline; HEALTHY if there are none.
        verdict: Verdict with the baseline; `open_causes` are the causes that it does not rule out.
        alone: Verdict without the baseline.
    """

    of: str
    case: Case
    elapsed_s: float
    baseline_s: float
    harm: str
    verdict: str
    open_causes: str
    alone: str

    @property
    def row(self) -> str:
        """Row in the table: the correct verdict, or a harmless fault."""
        return self.harm if self.harm != HEALTHY or self.case.truth == HEALTHY else f"{HARMLESS}: {self.case.truth}"

    def values(self) -> tuple[str, ...]:
        numbers = f"{self.elapsed_s:.6f}", f"{self.baseline_s:.6f}"
        case = self.case
        about = self.of, case.name, case.program, str(case.settings["nodes"]), case.truth, case.fault
        return (*about, *numbers, self.harm, self.verdict, self.open_causes, self.alone)
