# SPDX-License-Identifier: BSD-3-Clause
"""Random values of parameters, within bounds that keep small programs small."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.schema import Parameter, Value
from hypermon._model.spec import Spec
from hypermon.errors import UserError

# Bounds of generic parameters; monitors add their own. Beyond them a small program takes long, or a fault has no
# effect.
BOUNDS: dict[str, tuple[float, float]] = {
    "nodes": (1, 16),
    "node.tick_ms": (1, 50),
    "node.clock_offset_us": (0, 1e4),
    "node.clock_resolution_ns": (1, 1e6),
    "node.start_spread_us": (0, 5e3),
    "cpu.quantum_ms": (0.1, 50),
    "cpu.context_switch_us": (0, 500),
    "cpu.processors": (1, 3),
    "cpu.ranks_per_node": (1, 1),
    "pfs.servers": (0, 8),
    **dict.fromkeys((f"nfs.{name}_us" for name in ("getattr", "lookup", "read", "readdir", "write")), (0, 1000)),
    **dict.fromkeys((f"nfs.{name}_us" for name in ("commit", "call")), (0, 1000)),
    **dict.fromkeys((f"nfs.{name}_us" for name in ("create", "mkdir", "remove", "rename")), (0, 2000)),
    "nfs.scale": (0, 3),
    "nfs.waiting_share": (0, 0.5),
    "nfs.threads": (1, 16),
    "nfs.timeo_s": (0.005, 1),
    "nfs.retrans": (0, 5),
    "nfs.slots": (1, 16),
    "nfs.mb_per_s": (1, 1000),
    "nfs.copy_mb_per_s": (10, 1000),
    "nfs.attributes_s": (0, 5),
    "competitor.count": (0, 2),
    "competitor.priority": (-3, 0),  # a higher priority could leave the ranks no time
    "competitor.threads": (1, 3),
    "competitor.begin_s": (0, 0.05),
    "competitor.end_s": (0, 0.2),
    "competitor.busy_ms": (0, 50),
    "competitor.sleep_ms": (0, 50),
}
ALWAYS = {"limits.host_s": 120.0, "limits.simulated_s": 1000.0}  # a run that hangs ends after this time
SCENARIO = Path(__file__).with_name("anything.yaml")


def draw(rng: random.Random, parameter: Parameter) -> Value:
    """Draws an allowed value of the parameter, within BOUNDS."""
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


def some(rng: random.Random, parameters: Iterable[Parameter], share: float) -> dict[str, Value]:
    return {p.path: draw(rng, p) for p in parameters if rng.random() < share}


def legal(drawn: Iterator[Mapping[str, Value]]) -> Spec:
    """Returns the first specification that is not refused. Fails after 1000 refusals, because the drawing must be wrong
    then.
    """
    refused: UserError | None = None
    for settings in itertools.islice(drawn, 1000):
        try:
            spec = scenario.find_one(str(SCENARIO)).resolve(worker.schema(), {**ALWAYS, **settings}, where="drawing")
            worker.check(spec)
        except UserError as error:
            refused = error
        else:
            return spec
    raise AssertionError("settings are refused again and again") from refused
