# SPDX-License-Identifier: BSD-3-Clause
"""The vocabulary of the trace funnel's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    sized="funnel_source.fifo_bytes",
    emits=("stimulus",),
    slower=("funnel_link.clock_ns", "funnel_sink.burst_ns"),
    harms={"monitor.held_s": "s for which full sources held the nodes' stores"},
    labels={
        "funnel_source.fifo_bytes": "FIFO of each source, B",
        "funnel_link.width_bits": "width of the links, bits",
        "funnel_link.hold": "hold of the funnels, words",
        "funnel_sink.buffer_bytes": "buffer of each sink, B",
        "funnel_sink.burst_ns": "time of a burst, ns",
        "monitor.sink.peak_bytes": "peak of the sinks, B",
        "monitor.stream.bytes": "stream, B",
        "ledger.lost_total.bytes": "bytes lost",
    },
)
