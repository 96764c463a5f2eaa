"""What axes say: words and unit of the parameters and results that pictures show; others by their path."""

from __future__ import annotations

_LABELS = {
    "nodes": "nodes",
    "ecb.frame_fifo_frames": "depth of the frame FIFO, frames",
    "ecb.node_fifo_entries": "depth of the node FIFOs, entries",
    "ecb.vector_fifo_entries": "depth of the strobe-vector FIFO, vectors",
    "ecb.window_ns": "window, ns",
    "pbx.word_ns": "time of a word on the PBX, ns",
    "port.delay": "delay, null-loop iterations",
    "port.width_bits": "width of the port, bits",
    "monitor.frames.lost": "frames lost",
    "monitor.frames.peak_occupancy": "peak of the frame FIFO, frames",
    "ledger.lost_total.events": "events lost",
    "ledger.lost_total.nibbles": "nibbles lost",
    "elapsed_s": "time of the program, s",
}


def label(path: str) -> str:
    return _LABELS.get(path, path)
