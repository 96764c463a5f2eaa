# SPDX-License-Identifier: BSD-3-Clause
"""Section 5.1's generator: a million events, full rate, phases of three nodes, the delay (Figures 8 and 9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hypermon._files import places, yamlfile
from hypermon._inputs import scenario
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec

ACTIVE = tuple(range(1, 9))
DELAYS = (0, 5, 10, 20, 40, 80)
SEEDS = tuple(range(1, 9))
FULL_RATE = {1: "one_node", 2: "two_nodes", 3: "three_nodes"}
SOFTWARE = "bandwidth/software"
MILLION = {
    "loop": "in software by the benchmark's own loop",
    "nx2": "in software by the kernel (NX/2)",
    "port": "hardware",
}
"""Cases of that scenario, and what the study calls them."""

Key = tuple[str, int, int]  # "rate": active, 0; "phases": 3, seed; "sweep": active, delay


def plan(schema: Schema) -> dict[Key, Spec]:
    specs: dict[Key, Spec] = {}
    for active, name in FULL_RATE.items():
        specs["rate", active, 0] = scenario.built_in(f"bandwidth/{name}").resolve(schema)
    three = scenario.built_in("bandwidth/three_nodes")
    for seed in SEEDS:
        specs["phases", 3, seed] = three.resolve(schema, {"seed": seed})
    sweep = scenario.built_in("bandwidth/delay_sweep")
    for active in ACTIVE:
        for delay in DELAYS:
            specs["sweep", active, delay] = sweep.resolve(schema, {"generator.active": active, "port.delay": delay})
    return specs


def runs_of_a_million_events(schema: Schema) -> dict[str, Spec]:
    """The runs of a million events, by case."""
    found = scenario.built_in(SOFTWARE)
    return {case.label: found.resolve(schema, case=case) for case in found.cases}


def preset_from(case: str, seconds: float) -> str | None:
    """Returns the preset of the case that was calibrated on this time of the paper. None: there is none."""
    (presets,) = (one.presets for one in scenario.built_in(SOFTWARE).cases if one.label == case)
    named = re.compile(rf"(?<![\d.]){seconds:g} s\b")
    for preset in (str(item.value) for item in presets):
        file = places.scenarios() / "presets" / f"{preset}.yaml"
        description = yamlfile.read(file, preset).mapping("preset", ("description", "set"))["description"]
        if named.search(description.text("description")):
            return preset
    return None


def frame_rate(result: Result) -> float:
    """Frames built per second of the generator's run."""
    return float(result.value("monitor.frames.built / elapsed_s"))


def pbx_frames_per_s(spec: Mapping[str, Any]) -> float:
    """Rate of the ideal reader, which reads four words per frame."""
    return 1e9 / (4 * float(spec["pbx"]["word_ns"]))


def merged_percent(result: Result) -> float:
    """The share of event data that shares a frame with earlier data (Figure 9)."""
    frames = result["monitor"]["frames"]
    data = frames["built"] + frames["merged"]
    return 100 * float(frames["merged"]) / data if data else 0.0
