"""Random specifications from what the worker declares: little programs over any monitor and any hardware.

Every parameter of the ports, the boards, the readers, the drain programs and the faults takes any value that it may,
its ends and its default more often than others; sizes and times are bounded so that a run takes a part of a second.
The same seed gives the same specification.

    rng = random.Random(7)
    spec = random_spec(rng)                  # a program, under any monitor
    other = random_hardware(rng, spec)       # the same before the ports: a replay of one is the other's run
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping

from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.schema import Parameter, Value
from hypermon._model.spec import Spec
from hypermon.errors import UserError

# Beyond these a little program takes long (by its size, or by how long it is held up), or nothing of a fault is seen.
BOUNDS: Mapping[str, tuple[float, float]] = {
    "nodes": (1, 16),
    "node.tick_ms": (1, 50),
    "node.clock_offset_us": (0, 1e4),
    "node.clock_resolution_ns": (1, 1e6),
    "node.start_spread_us": (0, 5e3),
    "software.us_per_byte": (0, 20),
    "software.buffer_bytes": (16, 1e4),
    "port.nibble_cost_ns": (750, 3e4),
    "port.delay": (0, 30),
    "port.delay_iteration_ns": (0, 2e3),
    "erb.propagation_ns": (0, 2e4),
    "ecb.window_ns": (50, 1e6),
    "ecb.node_fifo_entries": (1, 128),
    "ecb.vector_fifo_entries": (1, 128),
    "ecb.frame_fifo_frames": (1, 2048),
    "ecb.builder_cycles": (1, 1e3),
    "ecb.reset_skew_ns": (0, 1e6),
    "pbx.word_ns": (1, 1e4),
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
    "generator.active": (1, 16),
    "generator.events": (1, 150),
    "pingpong.partner": (0, 15),
    "pingpong.least_bytes": (1, 200),
    "pingpong.most_bytes": (1, 800),
    "pingpong.repeats": (1, 2),
}
ALWAYS = {"limits.host_s": 120.0, "limits.simulated_s": 1000.0}  # what hangs is found here, not by who waits for it
PROGRAMS = ("generator", "pingpong")
BEFORE_PORTS = ("node.", "port.", "software.", "bursts.")
BASE = "bandwidth/one_node"


def random_spec(rng: random.Random, monitor: str | None = None) -> Spec:
    """Any program under any monitor (or that one), on any hardware."""
    schema = worker.schema()
    changed = rng.choice((0.05, 0.2, 0.5))  # a share of the parameters: some runs are near the prototype, some far
    while True:
        program = rng.choice(PROGRAMS)
        settings: dict[str, Value] = {
            "nodes": rng.choice((1, 2, 4, 8, 16)),
            "seed": rng.randrange(1000),
            "monitor": monitor or rng.choice(("hypermon",) * 8 + ("software", "none")),
            "workload": program,
            "machine.messages": rng.choice(("nx2", "nx2", "nx2", "smpi")),
        }
        before = (p for p in schema.parameters.values() if p.path.startswith((*BEFORE_PORTS, f"{program}.")))
        settings |= _some(rng, before, changed)
        settings |= {p.path: draw(rng, p) for p in schema.parameters.values() if p.path.startswith(f"{program}.")}
        settings |= _hardware(rng, int(settings["nodes"]), changed)
        if program == "pingpong":  # what its program refuses
            settings["nodes"] = max(2, int(settings["nodes"]))
            settings["pingpong.partner"] = int(settings["pingpong.partner"]) % int(settings["nodes"])
            settings["pingpong.most_bytes"] = max(settings[f"pingpong.{end}_bytes"] for end in ("least", "most"))
        else:
            settings["generator.active"] = min(int(settings["generator.active"]), int(settings["nodes"]))
        if int(settings["nodes"]) > 1 and rng.random() < 0.2:  # twice as many nodes are a hypercube too
            settings |= {"neighbour.count": 1, "neighbour.nodes": settings["nodes"], "neighbour.workload": "ring"}
            settings["neighbour.arguments"] = f"numbers=8 steps={rng.randrange(1, 20)}"
            settings["neighbour.placement"] = rng.choice(("among", "behind"))
            settings["neighbour.until"] = rng.choice(("own_end", "program_end"))
        if (spec := _legal(settings)) is not None:
            return spec


def random_hardware(rng: random.Random, spec: Spec, acts_back: bool = False) -> Spec:
    """The same program on other hardware, which does not act back on it, or may."""
    behind = {path for path, parameter in worker.schema().parameters.items() if parameter.behind_ports}
    kept = {path: v for path, v in spec.values.items() if path not in behind and "[" not in path}
    while True:
        settings = kept | _hardware(rng, int(kept["nodes"]), rng.choice((0.05, 0.2, 0.5)))
        if not acts_back:
            settings["drain.destination"] = rng.choice(("discard", "discard", "memory", "cfs"))
            settings = {path: "drop" if path.endswith("node_fifo_full") else v for path, v in settings.items()}
            settings["dma.words"] = 0
        if (other := _legal(settings)) is not None:
            return other


def draw(rng: random.Random, parameter: Parameter) -> Value:
    """A value that the parameter may have, within BOUNDS."""
    if parameter.type == "bool":
        return rng.random() < 0.5
    if parameter.choices:
        return rng.choice(parameter.choices)
    if parameter.type == "string":
        return parameter.default
    least, most = BOUNDS.get(parameter.path, (parameter.min, parameter.max))
    assert least is not None, parameter.path
    assert most is not None, parameter.path
    if parameter.power_of_two:
        return 1 << rng.randint(math.ceil(math.log2(least)), math.floor(math.log2(most)))
    kind = rng.random()
    if kind < 0.15:
        value = float(rng.choice((least, most)))
    elif least > 0 and most / least > 100:
        value = math.exp(rng.uniform(math.log(least), math.log(most)))
    elif least == 0 and most > 100:
        value = math.exp(rng.uniform(0, math.log(most)))
    elif parameter.path.endswith("_probability"):
        value = 10 ** rng.uniform(-4, 0)
    else:
        value = rng.uniform(least, most)
    if parameter.type == "float":
        return float(f"{value:.6g}")
    return max(math.ceil(least / parameter.step), round(value / parameter.step)) * parameter.step


def _some(rng: random.Random, parameters: Iterable[Parameter], share: float) -> dict[str, Value]:
    return {p.path: draw(rng, p) for p in parameters if rng.random() < share}


def _hardware(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    behind = [p for p in worker.schema().parameters.values() if p.behind_ports]
    settings = _some(rng, (p for p in behind if not p.path.startswith("faults.")), share)
    if rng.random() < 0.5:  # of faults a few at a time: together they leave nothing to see
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
        del settings["drain.destination"]  # acts back, as `stall` does: enough of them
    return settings


def _legal(settings: Mapping[str, Value]) -> Spec | None:
    """The specification, if its parameters go together."""
    try:
        spec = scenario.find_one(BASE).resolve(worker.schema(), {**ALWAYS, **settings}, where="random_specs")
        worker.check(spec.to_json())
    except UserError:
        return None
    return spec
