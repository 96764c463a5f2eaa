# SPDX-License-Identifier: BSD-3-Clause
"""A stand-in for hypermon-sim that keeps its contract, with small results computed from the specification.

In its results `nodes` nodes emit `fake.events` events of 16 nibbles, each of which a monitor charges. `fake.behaviour`
makes it fail in the ways in which a worker can fail. Tests start it thousands of times (conftest.py), so that it avoids
`json`, `pathlib` and `hashlib`: Python takes longer to load them than this program runs.
"""

from __future__ import annotations

import os
import sys

# ruff: noqa: PTH123
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PARAMETERS: list[tuple[str, str, str, Any, dict[str, Any]]] = [
    ("nodes", "int", "", 8, {"min": 1, "max": 128, "power_of_two": True}),
    ("seed", "int", "", 1, {"min": 0, "max": 2147483647}),
    ("monitor", "string", "", "hypermon", {"choices": ["none", "software", "hypermon"]}),
    ("workload", "string", "", "matmul", {"choices": ["simplex", "life", "matmul", "place", "generator"]}),
    ("node.tick_ms", "float", "ms", 50.0, {"min": 0.1, "max": 1e6}),
    ("os.syscall_us", "float", "us", 100.0, {"min": 0, "max": 1e6}),
    ("port.nibble_cost_ns", "float", "ns", 8850.0, {"min": 750, "max": 1e6}),
    ("port.delay", "int", "iterations", 20, {"min": 0, "max": 1000000}),
    ("port.delay_iteration_ns", "float", "ns", 864.5, {"min": 0, "max": 1e6}),
    ("port.width_bits", "int", "bits", 4, {"min": 4, "max": 32}),
    ("ecb.window_ns", "int", "ns", 800, {"min": 50, "max": 1e9, "multiple_of": 50, "several": True}),
    ("ecb.inputs", "int", "nodes", 16, {"min": 1, "max": 32}),
    ("ecb.frame_fifo_frames", "int", "frames", 1024, {"min": 1, "max": 1 << 24, "several": True}),
    ("pbx.word_ns", "int", "ns", 800, {"min": 1, "max": 1e6}),
    ("software.us_per_byte", "float", "us/B", 3.05, {"min": 0, "max": 1000}),
    ("generator.active", "int", "nodes", 1, {"min": 1, "max": 128}),
    ("generator.events", "int", "events", 125000, {"min": 1, "max": 1e12}),
    ("place.accepted", "int", "", 20235, {"min": 0, "max": 1e12}),
    ("place.attempts", "int", "", 1000, {"min": 1, "max": 1e12}),
    ("reader.kind", "string", "", "ideal", {"choices": ["ideal", "group"]}),
    ("fake.events", "int", "", 1000, {"min": 0, "max": 1e9}),
    ("fake.lost", "int", "", 0, {"min": 0, "max": 1e9}),
    ("fake.verbose", "bool", "", False, {}),
    ("fake.behaviour", "string", "", "good", {"choices": ["good", "refuse", "deadlock", "crash", "hang"]}),
]
SOURCES = {
    "software.us_per_byte": "calibrated on Table 2 MatMul software, 1 node (a tick) and Place software, 2 nodes",
    "port.delay_iteration_ns": "calibrated on Table 2 Life hardware time, 1 node",
}

NEVER_NULL = {"may_be_null": False, "element_may_be_null": False}


def describe() -> dict[str, Any]:
    return {
        "parameters": [
            {
                "path": path,
                "type": kind,
                "unit": unit,
                "default": default,
                **limits,
                "description": f"What {path} is.",
                "source": SOURCES.get(path, "assumed"),
            }
            for path, kind, unit, default, limits in PARAMETERS
        ],
        "results": [
            {"path": "fingerprint", "unit": "", "description": "Of all emissions.", "type": "str", **NEVER_NULL},
            {"path": "elapsed_s", "unit": "s", "description": "Longest rank.", "type": "float", **NEVER_NULL},
            {"path": "ranks[].events", "unit": "events", "description": "Of the node.", "type": "int", **NEVER_NULL},
            {"path": "events", "unit": "events", "description": "Of all nodes.", "type": "int", **NEVER_NULL},
            {
                "path": "monitor.frames.built",
                "unit": "frames",
                "description": "What the builder made.",
                "type": "int",
                **NEVER_NULL,
            },
            {"path": "monitor.overrun", "unit": "", "description": "Was anything lost?", "type": "bool", **NEVER_NULL},
            {
                "path": "logged_bytes",
                "unit": "B",
                "description": "What the monitor stores.",
                "type": "int",
                **NEVER_NULL,
            },
            {
                "path": "ledger.generated",
                "unit": "unit, events",
                "description": "What the ranks emitted.",
                "type": "Amount",
                **NEVER_NULL,
            },
            {
                "path": "ledger.delivered",
                "unit": "unit, events",
                "description": "What was stored.",
                "type": "Amount",
                **NEVER_NULL,
            },
            {
                "path": "ledger.in_flight",
                "unit": "unit, events",
                "description": "On the way at the end.",
                "type": "Amount",
                **NEVER_NULL,
            },
            {
                "path": "ledger.lost_total",
                "unit": "unit, events",
                "description": "Sum of all losses.",
                "type": "Amount",
                **NEVER_NULL,
            },
            {
                "path": "ledger.lost[]",
                "unit": "unit, events",
                "description": "Losses by stage and cause.",
                "type": "Loss",
                **NEVER_NULL,
            },
        ],
        "counters": [],
        "sections": {path.partition(".")[0]: "A part." for path, *_ in PARAMETERS if "." in path},
        "versions": {"hypermon": "0.9.0", "simgrid": "3.32"},
    }


def simulate(spec: dict[str, Any]) -> dict[str, Any]:
    n, monitor, events = spec["nodes"], spec["monitor"], spec["fake"]["events"]
    pitch = (spec["port"]["nibble_cost_ns"] + spec["port"]["delay"] * spec["port"]["delay_iteration_ns"]) * 1e-9
    cost = {"none": 0.0, "software": 7e-6 * spec["software"]["us_per_byte"], "hypermon": 16 * pitch}[monitor]
    compute = 10.0 / n
    elapsed = compute + 0.5 + events * cost
    lost = spec["fake"]["lost"] if monitor == "hypermon" else 0
    nibbles = 16 * n * events
    frames = nibbles
    result = {
        "scenario": spec["scenario"],
        "spec": {key: value for key, value in spec.items() if key != "scenario"},
        "versions": describe()["versions"],
        "fingerprint": f"{int.from_bytes(repr(spec).encode()) % (2**64 - 59):016x}",
        "elapsed_s": elapsed,
        "ranks": [
            {"elapsed_s": elapsed, "compute_s": compute, "mpi_s": 0.5, "monitor_s": events * cost, "events": events}
            for _ in range(n)
        ],
        "events": n * events,
        "event_bytes": 5 * n * events,
        "logged_bytes": {"none": 0, "software": 7 * n * events, "hypermon": 16 * frames}[monitor],
    }
    unit, each = ("nibbles", 16) if monitor == "hypermon" else ("bytes", 7)

    def amount(count: int) -> dict[str, int]:
        return {unit: count * each, "events": count}

    generated = 0 if monitor == "none" else n * events
    result["ledger"] = {
        "unit": unit,
        "generated": amount(generated),
        "delivered": amount(generated - lost),
        "in_flight": amount(0),
        "lost_total": amount(lost),
        "lost": [{"stage": "frame_fifo", "cause": "overrun", **amount(lost)}],
    }
    watched = monitor != "none"
    result["monitor"] = {"overrun": False, "first_overrun_s": None} if watched else {}
    if monitor == "software":
        result["monitor"]["buffer_bytes"] = []  # nothing was recorded
    result["timestamp_error_us"] = {"min": -0.8, "mean": -0.4, "max": 0.0} if watched else None
    result["causality_violations"] = 0
    burst = result["event_bytes"] / elapsed
    result["bursts"] = {"mean_bytes_per_s": burst, "max_1ms_bytes_per_s": 3 * burst, "max_20ms_bytes_per_s": 2 * burst}
    result["latency_us"] = {"p50": 4.5, "p99": 9.0, "max": 12.5} if monitor == "hypermon" else None
    if monitor == "hypermon":
        result["monitor"] = {
            "frames": {
                "built": frames,
                "lost": 16 * lost,
                "merged": nibbles - frames,
                "drained": frames - 16 * lost,
                "peak_occupancy": 1024 if lost else 3,
            },
            "overrun": bool(lost),
            "first_overrun_s": 1.25 if lost else None,
        }
        result["rates"] = {
            "interval_s": elapsed / 100,
            "frames": [frames // 100 + (i < frames % 100) for i in range(100)],
        }
    return result


def nested(spec: dict[str, Any]) -> dict[str, Any]:
    """Turns dotted paths into nested objects."""
    tree: dict[str, Any] = {}
    for path, value in spec.items():
        section, _, name = path.rpartition(".")
        (tree.setdefault(section, {}) if section else tree)[name] = value
    return tree


def check(spec: dict[str, Any]) -> int:
    lost, events = spec["fake"]["lost"], spec["fake"]["events"]
    if lost > events:
        print(f"error: fake.lost = {lost}: must be at most fake.events = {events}", file=sys.stderr)
    if boards := [key for key in spec if key.startswith("ecb[9]")]:
        path = f"{boards[0]}.{next(iter(spec[boards[0]]))}"
        print(f"error: {path}: no such board", file=sys.stderr)
    return 2 if lost > events or boards else 0


def end_with(parent: int) -> None:
    """Makes this process end when the thread that started it ends."""
    import ctypes
    import signal

    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, int(signal.SIGKILL))
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def read(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        # the file is JSON written by hypermon
        return nested(eval(file.read(), {"true": True, "false": False, "null": None}))


def as_json(value: Any) -> str:
    """The value as one line of JSON. Python writes numbers as JSON does; texts here are ASCII and have no quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {as_json(member)}' for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_json, value)) + "]"
    if isinstance(value, str):
        return f'"{value}"'
    return str(value).lower() if isinstance(value, bool) else "null" if value is None else repr(value)


def write(folder: str, name: str, text: str) -> None:
    with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
        file.write(text)


def count(variable: str) -> None:
    """Appends an x to the file that the variable names, if it is set."""
    if counter := os.environ.get(variable):
        with open(counter, "a") as file:
            file.write("x")


def main() -> int:
    if sys.argv[1:] == ["--describe"]:
        count("FAKE_DESCRIBE_COUNT")
        print(as_json(describe()))
        return 0
    if sys.argv[1:] == ["--mpi-functions"]:
        nothing = {"smpi": "absent", "told": False, "own": False, "nx2": False, "script": ""}
        print(as_json(dict.fromkeys(sys.stdin.read().split(), nothing)))
        return 0
    if sys.argv[1] == "--check":
        return check(read(sys.argv[2]))
    count("FAKE_RUN_COUNT")
    spec_file, out_option, folder, parent_option, parent = sys.argv[1:6]
    assert (out_option, parent_option) == ("--out", "--parent")
    spec = read(spec_file)
    behaviour = spec["fake"]["behaviour"]
    if "--progress" in sys.argv:
        print(as_json({"progress": {"simulated_s": 0.5, "events": 10}}), file=sys.stderr, flush=True)
    if behaviour == "refuse":
        print("error: generator.active = 9: must be at most nodes = 8", file=sys.stderr)
        return 2
    write(folder, "result.json", "{")  # half a result, as a running worker leaves it
    if behaviour == "deadlock":
        print("error: deadlock: rank 0 waits for a message from rank 1", file=sys.stderr)
        return 3
    if behaviour == "crash":
        os.abort()
    if behaviour == "hang":
        end_with(int(parent))  # other behaviours end at once
        write(folder, "pid", str(os.getpid()))
        import time

        time.sleep(60)
    if spec.get("bursts", {}).get("keep_series"):  # two milliseconds of three have event data
        write(folder, "bursts.csv", "interval_ms,bytes\n" + "".join(f"{i},{i % 3}\n" for i in range(3000) if i % 3))
    if spec["workload"] == "simplex":
        write(folder, "answer.txt", '[{"objective": 1, "pivots": 1000, "x": []}]\n')
    write(folder, "result.json", as_json(simulate(spec)) + "\n")
    write(folder, "host.json", as_json({"wall_s": 0.01, "max_rss_bytes": 1000000}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
