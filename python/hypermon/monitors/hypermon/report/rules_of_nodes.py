# SPDX-License-Identifier: BSD-3-Clause
"""Rules about the bus, the cost of the port for the program, and injected faults."""

from __future__ import annotations

from hypermon._model.schema import flat
from hypermon._model.words import nanoseconds, percent, rate, seconds, three_digits
from hypermon.monitors.hypermon.facts import BoardRun
from hypermon.report.rules import BUSY, GOOD, LIMIT, Finding


def emission(run: BoardRun) -> Finding | None:
    """Cost of the port for the program."""
    share = run.emission_share
    if not run.result["events"] or share < 0.01:
        return None
    port = run.spec["port"]
    rank = run.result["ranks"][run.busiest]
    text = (
        f"Node {run.busiest} spends {seconds(rank['monitor_s'])} of {seconds(rank['elapsed_s'])} ({percent(share)}) "
        "writing events to the port: "
        f"{three_digits(run.result['ledger']['generated'][run.unit] / run.result['events'])} "
        f"{run.unit} an event, {nanoseconds(run.pitch_ns)} each."
    )
    delay = port["delay"] * port["delay_iteration_ns"]
    ways = []
    if delay:
        ways.append(
            f"a shorter delay loop (port.delay), which is {nanoseconds(delay)} of each, {percent(delay / run.pitch_ns)}"
        )
    if port["width_bits"] < 32:
        ways.append(f"a wider port (port.width_bits): one of {2 * port['width_bits']} bits needs half as many writes")
    change = "; ".join([*ways, "fewer events (instrumentation.catalogue)"])
    return Finding(
        LIMIT,
        "The program is slowed by the writes to the port",
        text,
        f"{change[:1].upper()}{change[1:]}.",
    )


def held_nodes(run: BoardRun) -> Finding | None:
    held = run.monitor["held_s"]
    if not held:
        return None
    return Finding(
        LIMIT,
        "Full node FIFOs held the nodes",
        f"All nodes' writes together took {seconds(held)} longer because the board made them wait "
        f"({percent(held / run.elapsed_s / run.spec['nodes'])} of each node's time, on average): nothing is lost "
        "there, the program pays.",
        "Deeper FIFOs, a faster drain, or ecb.node_fifo_full = drop.",
    )


def injected_faults(run: BoardRun) -> Finding | None:
    active = [
        f"{path} = {value:g}"
        for path, value in flat({"faults": run.spec["faults"]}).items()
        if value and path.rpartition(".")[2] in _FAULTS
    ]
    if not active:
        return None
    return Finding(LIMIT, "Faults were injected", f"This run is not of healthy hardware: {', '.join(active)}.")


def bus(run: BoardRun) -> Finding | None:
    """Load of the bus: the time of reading, and the peak rate of frames relative to the bus's capacity."""
    if not run.monitor["frames"]["drained"]:
        return None
    most = run.bus_asked(run.fullest_per_s)
    word_ns = run.spec["pbx"]["word_ns"]
    text = (
        f"A frame's {three_digits(run.words_per_frame)} words of {nanoseconds(word_ns)} take "
        f"{nanoseconds(run.read_ns)}: the "
        f"bus carries {rate(1e9 / run.read_ns, 'frames')}. It was busy {percent(run.bus_busy)} of the "
        f"{seconds(run.end_s)} until the last frame was read; reading the frames of the busiest hundredth "
        f"of the run as fast as they were built takes {percent(most)} of its time{of_each_board(run)}."
    )
    if most >= BUSY:
        return Finding(
            LIMIT,
            "The PBX bus is the bottleneck",
            text,
            f"Words of at most {nanoseconds(word_ns * BUSY / most)} instead of {nanoseconds(word_ns)} (pbx.word_ns) "
            f"leave it {percent(1 - BUSY)} free even then. So do fewer frames, with a wider port (port.width_bits) or "
            "selective timestamps (ecb.timestamp_policy).",
        )
    return Finding(GOOD, f"The PBX bus has room: {percent(1 - most)} at worst", text)


def of_each_board(run: BoardRun) -> str:
    return f", mean of {len(run.boards)} boards" if len(run.boards) > 1 else ""


_FAULTS = (
    "skew_ns",
    "stuck_for_ms",
    "drop_probability",
    "bit_error_probability",
    "pbx_error_probability",
    "reader_stops_for_ms",
    "garbage_frames",
    "reset_at_us",
)
