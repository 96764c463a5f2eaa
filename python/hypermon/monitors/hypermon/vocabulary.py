# SPDX-License-Identifier: BSD-3-Clause
"""Words for the HYPERMON monitor's parameters and results in general commands."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    sized="ecb.frame_fifo_frames",
    emits=("port",),
    slower=("pbx.word_ns", "ecb.window_ns", "ecb.builder_cycles"),
    words={"pbx.word_ns": 4},
    metrics=("monitor.frames.built", "monitor.frames.lost", "monitor.frames.peak_occupancy"),
    targets={"ambiguous_silences": "monitor.ambiguous_silences"},
    labels={
        "ecb.frame_fifo_frames": "depth of the frame FIFO, frames",
        "ecb.node_fifo_entries": "depth of the node FIFOs, entries",
        "ecb.vector_fifo_entries": "depth of the strobe-vector FIFO, vectors",
        "ecb.window_ns": "window, ns",
        "pbx.word_ns": "time of a word on the PBX, ns",
        "ecb.inputs": "nodes of a board, nodes",
        "ecb.builder_cycles": "builder's time for a frame, cycles",
        "ecb.accumulate_bits": "width of a collected word, bits",
        "ecb.timestamp_bits": "width of a timestamp, bits",
        "ecb.reset_skew_ns": "lead of the boards' reset, ns",
        "reader.group_ns": "time before a group, ns",
        "reader.frame_ns": "time after a frame, ns",
        "reader.stall_ns": "length of a pause, ns",
        "reader.stall_every_frames": "frames between pauses, frames",
        "port.delay": "delay, null-loop iterations",
        "port.width_bits": "width of the port, bits",
        "monitor.frames.lost": "frames lost",
        "monitor.frames.peak_occupancy": "peak of the frame FIFO, frames",
        "ledger.lost_total.nibbles": "nibbles lost",
    },
    series={"rates.frames": "rates.interval_s"},
    harms={
        "monitor.ambiguous_silences": "ambiguous silences, after which timestamps can be wrong",
        "monitor.spurious_events": "decoded events that no node emitted",
        "monitor.falsified_events": "decoded events that bit errors, skew or unsettled data changed",
        "monitor.impossible_frames": "frames that no board can have built",
        "monitor.held_s": "s for which full node FIFOs held the nodes' writes",
    },
    remarks={
        "latency_us": "The HYPERMON monitor delivers the first event after a loss when the next event of its node"
        " confirms it. Its latency includes this wait.",
    },
)
