// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the trace funnel as a monitor.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct FunnelKeys {
  struct Sources {
    ResultList list{"monitor.sources[]"};
    ResultKey<int> peak_fifo_bytes{"monitor.sources[].peak_fifo_bytes", "B",
                                   "Largest number of bytes in the FIFO of a node's trace source."};
    ResultKey<int> peak_link_words{"monitor.sources[].peak_link_words", "words",
                                   "Largest number of words on a link between a node's trace source and its funnel."};
    ResultKey<int> dropped{
        "monitor.sources[].dropped", "events",
        "Number of events that a node's trace source dropped because its FIFO was full or had not drained yet."};
    ResultKey<int> overflows{"monitor.sources[].overflows", "",
                             "Number of times that a node's trace source began to drop events."};
    ResultKey<int> syncs{"monitor.sources[].syncs", "",
                         "Number of synchronisation messages that a node's trace source wrote."};
    ResultKey<int> stalls{"monitor.sources[].stalls", "",
                          "Number of times that a node's trace source stalled its node."};
    ResultKey<double> stalled_s{"monitor.sources[].stalled_s", "s",
                                "Total time that a node's trace source stalled its node."};
  } sources;
  struct Stream {
    ResultKey<int> encoded_bytes{"monitor.stream.encoded_bytes", "B",
                                 "Bytes of the messages that the trace sources wrote, with headers, timestamps, "
                                 "synchronisation and overflow markers."};
    ResultKey<int> id_bytes{"monitor.stream.id_bytes", "B", "Bytes of source numbers in the trace stream's frames."};
    ResultKey<int> frame_bits_bytes{
        "monitor.stream.frame_bits_bytes", "B",
        "Bytes that hold neither data nor source numbers, one in each frame of the trace stream."};
    ResultKey<int> padding_bytes{"monitor.stream.padding_bytes", "B",
                                 "Bytes that fill up flushed frames of the trace stream."};
    ResultKey<int> full_sync_bytes{"monitor.stream.full_sync_bytes", "B",
                                   "Bytes of full synchronisation packets between the frames of the trace stream."};
    ResultKey<int> bytes{"monitor.stream.bytes", "B",
                         "Bytes of the trace stream that left the formatters of all chips: encoded messages, source "
                         "numbers, bits, padding and full synchronisation."};
    ResultKey<int> lost_bytes{"monitor.stream.lost_bytes", "B",
                              "Bytes of the trace stream that found no room in a sink or were overwritten there."};
    ResultKey<int> delivered_bytes{"monitor.stream.delivered_bytes", "B",
                                   "Bytes of the trace stream that reached the analyst."};
  } stream;
  struct Funnels {
    ResultKey<int> peak_words{"monitor.funnels.peak_words", "words",
                              "Largest number of words that waited behind any trace funnel."};
    ResultKey<int> flushes{"monitor.funnels.flushes", "", "Number of flushes of the trace links of all chips."};
  } funnels;
  struct Sink {
    ResultKey<int> peak_bytes{"monitor.sink.peak_bytes", "B", "Largest number of bytes in any chip's trace sink."};
    ResultKey<int> bursts{"monitor.sink.bursts", "", "Number of bursts that left the trace sinks."};
  } sink;
  ResultKey<int> late_events{"monitor.late_events", "events",
                             "Number of events that reached the trace funnel's analyst after the program had ended."};
  ResultKey<bool> overrun{"monitor.overrun", "", "funnel: True if any event was lost."};
  ResultKey<std::optional<double>> first_overrun_s{
      "monitor.first_overrun_s", "s", "Time at which monitor.overrun became true; null if it stayed false."};
  ResultKey<double> held_s{"monitor.held_s", "s",
                           "funnel: Time by which full trace sources prolonged the stores of all nodes, in total."};
  ResultKey<double> end_s{"monitor.end_s", "s", "funnel: Time at which the last burst reached the analyst."};
};
inline constexpr FunnelKeys funnel_keys{};

} // namespace hypermon
