// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the trace funnel as a monitor.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct FunnelKeys {
  struct Sources {
    ResultList list{"monitor.sources[]"};
    ResultKey<int> peak_fifo_bytes{"monitor.sources[].peak_fifo_bytes", "B",
                                   "funnel: most bytes in each node's source FIFO."};
    ResultKey<int> peak_link_words{"monitor.sources[].peak_link_words", "words",
                                   "Most words between it and its funnel."};
    ResultKey<int> dropped{"monitor.sources[].dropped", "events",
                           "That its FIFO had no room for, or that came before it had drained."};
    ResultKey<int> overflows{"monitor.sources[].overflows", "", "Times that it began to drop."};
    ResultKey<int> syncs{"monitor.sources[].syncs", "", "Synchronisation messages that it wrote."};
    ResultKey<int> stalls{"monitor.sources[].stalls", "", "Times that it held its node."};
    ResultKey<double> stalled_s{"monitor.sources[].stalled_s", "s", "For how long."};
  } sources;
  struct Stream {
    ResultKey<int> encoded_bytes{
        "monitor.stream.encoded_bytes", "B",
        "funnel: messages as the sources wrote them, with headers, timestamps, synchronisation and overflow markers."};
    ResultKey<int> id_bytes{"monitor.stream.id_bytes", "B", "In frames: the sources' numbers."};
    ResultKey<int> frame_bits_bytes{"monitor.stream.frame_bits_bytes", "B",
                                    "In frames: the byte of bits beside the data."};
    ResultKey<int> padding_bytes{"monitor.stream.padding_bytes", "B", "In frames: what fills up a flushed one."};
    ResultKey<int> full_sync_bytes{"monitor.stream.full_sync_bytes", "B",
                                   "Between frames: full synchronisation packets."};
    ResultKey<int> bytes{"monitor.stream.bytes", "B", "All of that: what left the formatters of all chips."};
    ResultKey<int> lost_bytes{"monitor.stream.lost_bytes", "B",
                              "Of it: what found no room in a sink, or was overwritten there."};
    ResultKey<int> delivered_bytes{"monitor.stream.delivered_bytes", "B", "Of it: what reached the analyst."};
  } stream;
  struct Funnels {
    ResultKey<int> peak_words{"monitor.funnels.peak_words", "words", "funnel: most words behind any funnel."};
    ResultKey<int> flushes{"monitor.funnels.flushes", "", "Of the links of all chips."};
  } funnels;
  struct Sink {
    ResultKey<int> peak_bytes{"monitor.sink.peak_bytes", "B", "funnel: most bytes in any chip's sink."};
    ResultKey<int> bursts{"monitor.sink.bursts", "", "That left the sinks."};
  } sink;
  ResultKey<int> late_events{"monitor.late_events", "events",
                             "funnel: that reached the analyst after the program had ended."};
  ResultKey<bool> overrun{"monitor.overrun", "", "funnel: was anything lost?"};
  ResultKey<std::optional<double>> first_overrun_s{"monitor.first_overrun_s", "s", "When first; null if never."};
  ResultKey<double> held_s{"monitor.held_s", "s",
                           "funnel: by how much longer all nodes' stores took because full sources held them."};
  ResultKey<double> end_s{"monitor.end_s", "s", "funnel: when the last burst reached the analyst."};
};
inline constexpr FunnelKeys funnel_keys{};

} // namespace hypermon
