# SPDX-License-Identifier: BSD-3-Clause
"""Random hardware of the HYPERMON monitor: ports, boards, readers, drain programs and faults.

other = random_hardware(rng, spec)       # the same before the ports: a replay of one is the other's run
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from hypermon._model import worker
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from tests.python.drawing import BOUNDS, draw, legal, some

OFTEN = 8
BOUNDS |= {
    "port.nibble_cost_ns": (750, 3e4),
    "port.delay": (0, 30),
    "port.delay_iteration_ns": (0, 2e3),
    "erb.propagation_ns": (0, 2e4),
    "erb.pulse_ns": (0, 3e4),
    "erb.seed": (0, 1000),
    "ecb.window_ns": (50, 1e6),
    "ecb.node_fifo_entries": (1, 128),
    "ecb.vector_fifo_entries": (1, 128),
    "ecb.frame_fifo_frames": (1, 2048),
    "ecb.builder_cycles": (1, 1e3),
    "ecb.reset_skew_ns": (0, 1e6),
    "pbx.word_ns": (1, 1e4),
    "pbx.burst_start_ns": (0, 5e3),
    "pbx.register_read_ns": (0, 2e4),
    "pbx.register_write_ns": (0, 2e4),
    "dma.words": (0, 64),
    "dma.period_ns": (1e4, 1e7),
    "reader.group_ns": (0, 1e5),
    "reader.frame_ns": (0, 2e4),
    "reader.stall_ns": (0, 3e6),
    "reader.stall_every_frames": (0, 500),
    "drain.memory_bytes": (16384, 1e6),
    "drain.reduction_frame_us": (0, 20),
    "drain.streams_datum_us": (0, 20),
    "drain.statistics_datum_us": (0, 20),
    "drain.statistics_period_ms": (0.1, 100),
    "drain.cfs_scsi_mb_per_s": (0.1, 100),
    "drain.cfs_disk_mb_per_s": (0.1, 100),
    "drain.cfs_interrupts_per_8k": (0, 100),
    "drain.cfs_interrupt_us": (0, 200),
    "drain.host_send_us": (0, 1e3),
    "faults.seed": (0, 1000),
    "faults.skew_first_node": (0, 8),
    "faults.skew_nodes": (0, 16),
    "faults.stuck_at_ms": (0, 30),
    "faults.stuck_for_ms": (0, 30),
    "faults.stuck_first_node": (0, 8),
    "faults.stuck_nodes": (0, 16),
    "faults.drop_first_node": (0, 8),
    "faults.drop_nodes": (0, 16),
    "faults.bit_error_first_node": (0, 8),
    "faults.bit_error_nodes": (0, 16),
    "faults.reader_stops_at_ms": (0, 30),
    "faults.reader_stops_for_ms": (0, 30),
    "faults.garbage_frames": (0, 3000),
    "faults.reset_at_us": (0, 3e4),
}
_FULL = {"monitor": "hypermon", "workload": "generator", "generator.active": 2, "generator.events": 3000}
_SLOW = {**_FULL, "pbx.word_ns": 20000}
CHOICES = {
    "backplane": _SLOW,
    "ecb": _SLOW,
    "ecb.vector_fifo_full": {
        "ecb.node_fifo_full": "stall",
        "ecb.frame_fifo_full": "stall",
        "ecb.vector_fifo_entries": 4,
    },
    "pbx": _SLOW,
    "dma": {**_FULL, "dma.words": 16, "dma.period_ns": 13000},
    "reader": {**_FULL, "reader.group_ns": 100000},
    "drain": _SLOW,
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    ports = (p for p in worker.schema().parameters.values() if p.path.startswith("port."))
    return some(rng, ports, share) | hardware(rng, nodes, share)


def hardware(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    """Random settings of the hardware behind the ports."""
    behind = [p for p in worker.schema().parameters.values() if p.behind_ports]
    settings = some(rng, (p for p in behind if not p.path.startswith("faults.")), share)
    if settings.get("ecb.level") == "rtl":  # Verilator takes 15 s for a design; test_levels.py has such designs
        settings["ecb.level"] = "transactions"
    if rng.random() < 0.5:  # only a few faults at a time: with all of them, no data would arrive
        faults = [p for p in behind if p.path.startswith("faults.")]
        kinds = sorted({p.path.partition(".")[2].partition("_")[0] for p in faults})
        chosen = tuple(f"faults.{kind}_" for kind in rng.sample(kinds, rng.choice((1, 1, 2, 3))))
        settings |= {p.path: draw(rng, p) for p in faults if p.path.startswith((*chosen, "faults.seed"))}
    if rng.random() < 0.4:
        settings["ecb.inputs"] = rng.choice((1, 2, 4, 8))  # several boards
    boards = -(-nodes // int(settings.get("ecb.inputs", 16)))
    if boards > 1 and rng.random() < 0.5:
        own = [p for p in behind if p.several and p.path.startswith("ecb.")]
        for parameter in rng.sample(own, 2):
            settings[parameter.path.replace(".", f"[{rng.randrange(boards)}].")] = draw(rng, parameter)
    if settings.get("drain.destination") == "host" and rng.random() < 0.5:
        # sometimes it feeds back on the program, as `stall` does; the other cases suffice for that
        del settings["drain.destination"]
    return settings


def random_hardware(rng: random.Random, spec: Spec, applies_back_pressure: bool = False) -> Spec:
    """The same program on other hardware, which does not feed back on it unless `applies_back_pressure`."""
    behind = {path for path, parameter in worker.schema().parameters.items() if parameter.behind_ports}
    kept = {path: v for path, v in spec.values.items() if path not in behind and "[" not in path}
    return legal(_drawn(rng, kept, applies_back_pressure))


def _drawn(rng: random.Random, kept: Mapping[str, Value], applies_back_pressure: bool) -> Iterator[Mapping[str, Value]]:
    while True:
        settings = {**kept, **hardware(rng, int(kept["nodes"]), rng.choice((0.05, 0.2, 0.5)))}
        if not applies_back_pressure:
            settings["drain.destination"] = rng.choice(("discard", "discard", "memory", "cfs"))
            settings = {path: "drop" if path.endswith("node_fifo_full") else v for path, v in settings.items()}
            settings["dma.words"] = 0
        yield settings
