"""What limits the design and what to change: each rule looks at one part and says a sentence with its numbers.

A rule returns None where it has nothing to say. `findings` applies all of them, problems first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from hypermon._model.schema import flat
from hypermon.monitors.hypermon import load
from hypermon.report.facts import EDGE_NS, Run
from hypermon.report.words import count, data, nanoseconds, percent, plural, rate, seconds, three

PROBLEM, LIMIT, GOOD = "problem", "limit", "good"
_ORDER = (PROBLEM, LIMIT, GOOD)
BUSY = 0.8  # a part that is busy more of its time than this is said to be near its limit


@dataclass(frozen=True)
class Finding:
    """`level`: problem (something was lost or is wrong), limit (it will be), good."""

    level: str
    title: str
    text: str
    change: str = ""  # what to do about it


Rule = Callable[[Run], Finding | None]


def findings(run: Run) -> list[Finding]:
    found = [finding for rule in RULES[run.kind] if (finding := rule(run)) is not None]
    return sorted(found, key=lambda finding: _ORDER.index(finding.level))


def nothing_lost(run: Run) -> Finding | None:
    if run.anything_lost:
        return None
    ledger = run.result["ledger"]
    under_way = ledger["in_flight"]["events"]
    text = f"All {plural(ledger['generated']['events'], 'event')} arrived"
    if under_way:
        text = f"{plural(ledger['delivered']['events'], 'event')} arrived, {count(under_way)} were under way at the end"
    return Finding(GOOD, "Nothing was lost", f"{text}.")


def frame_fifo_margin(run: Run) -> Finding | None:
    """How much of the frame FIFO was never used.

    One more than the peak is certain to do: a frame that comes at the very edge at which another leaves finds the
    level before that edge (contract section 1), and the peak is counted after it.
    """
    frames = run.monitor["frames"]
    if frames["lost"] or not frames["built"]:
        return None
    peak, depth = frames["peak_occupancy"], run.depth
    used = peak / depth
    text = f"At its fullest the frame FIFO held {count(peak)} of {plural(depth, 'frame')} ({percent(used)})"
    if used > BUSY:
        return Finding(
            LIMIT,
            "The frame FIFO was nearly full",
            f"{text}. Any longer pause of the reader loses frames.",
            "A deeper frame FIFO (ecb.frame_fifo_frames), a faster bus (pbx.word_ns), or shorter pauses of the reader "
            "(reader.stall_ns).",
        )
    return Finding(
        GOOD,
        f"Margin of the frame FIFO: {three(depth / peak)} times what it needed",
        f"{text}. With everything else the same, a depth of {count(min(depth, peak + 1))} would have lost nothing.",
    )


def frame_fifo_overrun(run: Run) -> Finding | None:
    frames = run.monitor["frames"]
    if not frames["lost"]:
        return None
    began = run.monitor["first_overrun_s"]
    first = f", first after {seconds(began)}" if began is not None else ""
    text = (
        f"{count(frames['lost'])} of {plural(frames['built'], 'frame')} ({percent(frames['lost'] / frames['built'])}) "
        f"found all {count(run.depth)} places taken{first}."
    )
    return Finding(PROBLEM, "The frame FIFO overflowed", text, _against_overrun(run))


def _against_overrun(run: Run) -> str:
    word = run.spec["pbx"]["word_ns"]
    reader = run.spec["reader"]
    long_run = load.of(run.result)
    if long_run is not None and not long_run.lasts:
        needed = word / long_run.share
        return (
            f"Words of less than {nanoseconds(needed)} instead of {nanoseconds(word)} (pbx.word_ns), or fewer frames: "
            "a wider port (port.width_bits), selective timestamps (ecb.timestamp_policy). No depth is enough in the "
            f"long run: a board builds {rate(long_run.frames_per_s, 'frames')} on average and the I/O node reads "
            f"{rate(long_run.capacity_frames_per_s, 'frames')} at most."
        )
    demand, capacity = run.built_per_s, 1e9 / run.service_ns if run.service_ns else math.inf
    exact = (
        reader["kind"] == "ideal" and run.spec["drain"]["reduction"] == "none" and not run.monitor["drain"]["waiting_s"]
    )
    if run.recorded is not None and exact:
        least = run.recorded.least_depth(word)
        slowest = run.recorded.slowest_word_ns(run.depth)
        ways = [f"a depth of {plural(least, 'frame')} (ecb.frame_fifo_frames)"] if least is not None else []
        if slowest is not None and slowest < word:
            ways.append(f"words of {nanoseconds(slowest)} at this depth (pbx.word_ns)")
        if ways:
            return f"Exact, from the recording: {' or '.join(ways)} would have lost nothing."
    if reader["kind"] == "group" and reader["stall_ns"] and reader["stall_every_frames"]:
        most, come = (per_s * reader["stall_ns"] * 1e-9 for per_s in (run.most_per_s, run.fullest_per_s))
        depth = f"about {count(_power_of_two(most))} would hold them (an estimate; ecb.frame_fifo_frames)"
        if run.recorded is not None and run.recorded.enough is not None:
            depth = f"{count(run.recorded.enough)} would have lost nothing (exact: recorded; ecb.frame_fifo_frames)"
        return (
            f"A depth of {depth}, or pauses well under "
            f"{seconds(run.depth / run.most_per_s)} (reader.stall_ns): the reader stays away for "
            f"{nanoseconds(reader['stall_ns'])} after every {plural(reader['stall_every_frames'], 'frame')}, in which "
            f"{plural(most, 'frame')} can come at most, and {count(come)} do in the fullest hundredth of the run."
        )
    if run.recorded is not None and run.recorded.enough is not None:
        depth = plural(run.recorded.enough, "frame")
        return f"Exact, from the recording: a depth of {depth} (ecb.frame_fifo_frames) would have lost nothing."
    return (
        f"A deeper frame FIFO (ecb.frame_fifo_frames): the I/O node could read {three(capacity / demand)} times what "
        "comes on average, so the losses are bursts. hypermon record this run and report again to see which depth "
        "would have sufficed."
    )


def _power_of_two(frames: float) -> int:
    return int(2 ** math.ceil(math.log2(max(1.0, frames))))


def bus(run: Run) -> Finding | None:
    """How long it was read, and what came when most came against what it can carry."""
    if not run.monitor["frames"]["drained"]:
        return None
    most = run.bus_asked(run.fullest_per_s)
    word_ns = run.spec["pbx"]["word_ns"]
    text = (
        f"A frame's {three(run.words_per_frame)} words of {nanoseconds(word_ns)} take {nanoseconds(run.read_ns)}: the "
        f"bus carries {rate(1e9 / run.read_ns, 'frames')}. It was busy {percent(run.bus_busy)} of the "
        f"{seconds(run.end_s)} until the last frame was read; reading all that was captured in the fullest hundredth "
        f"of the run as fast as it came takes {percent(most)} of its time{_of_each_board(run)}."
    )
    if most >= BUSY:
        return Finding(
            LIMIT,
            "The PBX bus is the bottleneck",
            text,
            f"Words of at most {nanoseconds(word_ns * BUSY / most)} instead of {nanoseconds(word_ns)} (pbx.word_ns) "
            f"leave it {percent(1 - BUSY)} free even then; or fewer frames: a wider port (port.width_bits), selective "
            "timestamps (ecb.timestamp_policy).",
        )
    return Finding(GOOD, f"The PBX bus has room: {percent(1 - most)} at worst", text)


def _of_each_board(run: Run) -> str:
    return f", mean of {len(run.boards)} boards" if len(run.boards) > 1 else ""


def builder(run: Run) -> Finding | None:
    """Is the frame builder as fast as the windows?"""
    if not run.monitor["frames"]["built"]:
        return None
    window = min(int(board["window_ns"]) for board in run.boards)
    text = (
        f"It needs {nanoseconds(run.builder_ns)} a frame and is busy {percent(run.builder_busy)} of the time"
        f"{_of_each_board(run)}"
    )
    if run.builder_ns <= window:
        return Finding(
            GOOD, "The frame builder keeps up with any traffic", f"{text}; a window lasts {nanoseconds(window)}."
        )
    return Finding(
        LIMIT,
        "The frame builder is slower than the windows",
        f"{text}, but a window lasts only {nanoseconds(window)}: bursts longer than the FIFOs before it lose windows.",
        f"A builder of at most {window // EDGE_NS} cycles (ecb.builder_cycles), or windows of "
        f"{nanoseconds(run.builder_ns)} (ecb.window_ns).",
    )


def builder_overrun(run: Run) -> Finding | None:
    """Losses before the builder: it does not empty the node FIFOs and the strobe-vector FIFO in time."""
    overruns, windows = run.monitor["node_overruns"], run.monitor["windows_lost"]
    if not overruns and not windows:
        return None
    text = (
        f"{plural(overruns, 'datum', 'data')} found a full node FIFO and {plural(windows, 'window')} "
        f"a full strobe-vector FIFO, with {plural(run.monitor['discarded'], 'nibble')}. "
        f"The builder needs {nanoseconds(run.builder_ns)} a frame."
    )
    if run.spec["ecb"]["frame_fifo_full"] == "stall":
        change = "The frame FIFO holds the builder when it is full (ecb.frame_fifo_full): "
        long_run = load.of(run.result)
        if long_run is None or long_run.lasts:
            change += "make it deeper, or read faster."
        else:
            change += (
                f"read faster. {percent(long_run.share)} of what can be read comes: in the long run no depth is enough."
            )
    else:
        change = "Make the builder as fast as the windows (ecb.builder_cycles, ecb.window_ns), or these FIFOs deeper."
    return Finding(PROBLEM, "The FIFOs before the frame builder overflowed", text, change)


def aliasing(run: Run) -> Finding | None:
    lost = run.monitor["aliasing"]
    window = max(int(board["window_ns"]) for board in run.boards)
    pitch = run.pitch_ns
    if not lost:
        return None
    came = plural(lost, "datum", "data")
    text = f"{came} came as a node's second in one window of {nanoseconds(window)}"
    if pitch >= window:
        return Finding(
            PROBLEM,
            "Strobes were lost to aliasing",
            f"{text}, although a node writes every {nanoseconds(pitch)} at most.",
            "No injected faults: only they can do that (faults.skew_ns).",
        )
    fits = int(pitch // EDGE_NS * EDGE_NS)
    return Finding(
        PROBLEM,
        "Nodes write faster than the windows pass",
        f"{text}: a node may write every {nanoseconds(pitch)}, a window catches one datum of each node.",
        f"Windows of at most {nanoseconds(fits)} (ecb.window_ns), or slower writes (port.delay).",
    )


def timestamps_wrap(run: Run) -> Finding | None:
    bits, window = min((int(board["timestamp_bits"]), int(board["window_ns"])) for board in run.boards)
    period = 2.0**bits * window * 1e-9
    silences = run.monitor["ambiguous_silences"]
    wraps = int(run.elapsed_s // period)
    if silences:
        return Finding(
            PROBLEM,
            "Timestamps cannot be told apart",
            f"In {plural(silences, 'silence')} the {bits}-bit timestamp, which repeats every {seconds(period)}, may "
            "have wrapped more often than the decoder could tell.",
            "More bits (ecb.timestamp_bits), or an empty frame at every wrap (ecb.wrap_frames).",
        )
    if not wraps or run.spec["ecb"]["wrap_frames"]:
        return None
    return Finding(
        LIMIT,
        f"Timestamps wrapped {plural(wraps, 'time')}",
        f"{bits} bits of {nanoseconds(window)} repeat every {seconds(period)}. The order of the frames told the wraps "
        "apart in this run; a silence as long as that would not.",
        "An empty frame at every wrap removes the doubt (ecb.wrap_frames).",
    )


def emission(run: Run) -> Finding | None:
    """What the port costs the program."""
    share = run.emission_share
    if not run.result["events"] or share < 0.01:
        return None
    port = run.spec["port"]
    rank = run.result["ranks"][run.busiest]
    text = (
        f"Node {run.busiest} spends {seconds(rank['monitor_s'])} of {seconds(rank['elapsed_s'])} ({percent(share)}) "
        f"writing events to the port: {three(run.result['ledger']['generated'][run.unit] / run.result['events'])} "
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


def unseen(run: Run) -> Finding | None:
    """What the result itself warns of: that few events cost little would else be read as a cheap monitor."""
    warnings = run.result.get("warnings")
    if not warnings:
        return None
    return Finding(
        PROBLEM,
        "Nothing of the program's communication is seen",
        f"{'; '.join(warnings)}. What the monitor costs and loses here is that of the other events alone.",
        "instrumentation.catalogue = mpi, the default with machine.messages = smpi, or a catalogue of your own with "
        "points of MPI calls.",
    )


def injected_faults(run: Run) -> Finding | None:
    active = [
        f"{path} = {value:g}"
        for path, value in flat({"faults": run.spec["faults"]}).items()
        if value and path.rpartition(".")[2] in _FAULTS
    ]
    if not active:
        return None
    return Finding(LIMIT, "Faults were injected", f"This run is not of healthy hardware: {', '.join(active)}.")


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


def other_losses(run: Run) -> Finding | None:
    """Losses that no other rule explains, by stage and cause."""
    explained = {
        ("frame_fifo", "overrun"),
        ("node_fifo", "overrun"),
        ("strobe_vector_fifo", "window_lost"),
        ("strobe_input", "aliasing"),
        ("node_memory", "buffer_full"),
        ("io_node", "memory_full"),
    }
    entries = [
        entry
        for entry in run.result["ledger"]["lost"]
        if (entry["stage"], entry["cause"]) not in explained and (entry[run.unit] or entry["events"])
    ]
    if not entries:
        return None
    places = []
    for e in entries:
        events = plural(e["events"], "event")
        if (e["stage"], e["cause"]) == ("decoder", "resync"):
            places.append(f"{events} whose data all arrived, but the decoder had lost its place")
        else:
            cause = e["cause"].replace("_", " ")
            places.append(f"{count(e[run.unit])} {run.unit} and {events} at {stage(e['stage'])} ({cause})")
    return Finding(PROBLEM, "Losses elsewhere", f"Lost: {'; '.join(places)}.")


def stage(name: str) -> str:
    names = {"erb": "the ERB", "pbx": "the PBX bus", "io_node": "the I/O node"}
    return names.get(name, f"the {name.replace('_', ' ').replace('fifo', 'FIFO')}")


def memory_full(run: Run) -> Finding | None:
    lost = run.monitor["drain"]["bytes_lost"]
    if not lost:
        return None
    kept = run.monitor["drain"]["bytes_kept"]
    return Finding(
        PROBLEM,
        "The I/O node's memory was full",
        f"{data(lost)} of {data(lost + kept)} found no room in {data(run.spec['drain']['memory_bytes'])}.",
        f"More memory (drain.memory_bytes): {'about ' * (len(run.boards) > 1)}{data((lost + kept) / len(run.boards))} "
        "an I/O node would hold it all; or write it away (drain.destination), or reduce it first (drain.reduction).",
    )


def held_nodes(run: Run) -> Finding | None:
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


def software_buffer(run: Run) -> Finding | None:
    size = run.spec["software"]["buffer_bytes"]
    fullest = max(run.monitor["buffer_bytes"], default=0)
    lost = run.lost("node_memory", "buffer_full")
    if lost:
        most = fullest + max(0, lost)  # what one node would need if all losses were its own
        return Finding(
            PROBLEM,
            "Trace buffers were full",
            f"{data(lost)} found no room in the nodes' buffers of {data(size)}.",
            f"Larger buffers (software.buffer_bytes): {data(most)} a node is enough in any case.",
        )
    text = f"The fullest node wrote {data(fullest)} of its {data(size)} ({percent(fullest / size)})."
    if not fullest:
        return None
    lasts = run.elapsed_s * size / fullest
    return Finding(GOOD if fullest < BUSY * size else LIMIT, f"At this rate buffers last {seconds(lasts)}", text)


def software_cost(run: Run) -> Finding | None:
    if not run.result["events"]:
        return None
    rank = run.result["ranks"][run.busiest]
    return Finding(
        LIMIT if run.emission_share > 0.05 else GOOD,
        f"Recording takes {percent(run.emission_share)} of the busiest node's time",
        f"Node {run.busiest} spends {seconds(rank['monitor_s'])} of {seconds(rank['elapsed_s'])} writing trace "
        f"records, {three(run.result['logged_bytes'] / run.result['events'])} B an event on average.",
    )


def causality(run: Run) -> Finding | None:
    """Messages that, by the monitor's clock, arrive before they are sent."""
    wrong, error = run.result["causality_violations"], run.result["timestamp_error_us"]
    if not wrong or error is None:
        return None
    return Finding(
        PROBLEM,
        "Timestamps contradict the order of events",
        f"{plural(wrong, 'message')} were received before they were sent, by timestamps that are "
        f"{three(error['min'])} to {three(error['max'])} µs from true time.",
        "Clocks that start and run together (node.clock_offset_us, node.clock_drift_ppm), or one clock for all nodes: "
        "monitor = hypermon."
        if run.kind == "software"
        else "Boards that are reset together (ecb.reset_skew_ns).",
    )


def one_clock(run: Run) -> Finding | None:
    """Timestamps that only their resolution limits."""
    error = run.result["timestamp_error_us"]
    if error is None or run.result["causality_violations"]:
        return None
    window = max(int(board["window_ns"]) for board in run.boards)
    if max(-error["min"], error["max"]) > window * 1e-3:
        return None
    return Finding(
        GOOD,
        "Timestamps are as good as their resolution",
        f"They differ from true time by {three(error['min'])} to {three(error['max'])} µs: a window is "
        f"{nanoseconds(window)}. No message was received before it was sent.",
    )


def unobserved(run: Run) -> Finding | None:
    return (
        Finding(
            GOOD,
            "Nothing was observed",
            f"The program ran alone in {seconds(run.elapsed_s)}: the time that slowdowns are measured against.",
        )
        if not run.result["events"]
        else None
    )


RULES: dict[str, tuple[Rule, ...]] = {
    "none": (unobserved,),
    "software": (unseen, nothing_lost, software_buffer, software_cost, causality, other_losses),
    "hypermon": (
        unseen,
        frame_fifo_overrun,
        builder_overrun,
        aliasing,
        memory_full,
        other_losses,
        timestamps_wrap,
        causality,
        injected_faults,
        bus,
        emission,
        held_nodes,
        nothing_lost,
        frame_fifo_margin,
        builder,
        one_clock,
    ),
}
