// SPDX-License-Identifier: BSD-3-Clause
// Result keys of monholes.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

/// Entries, and their bytes.
struct BufferAmountKeys {
  ResultKey<int> entries;
  ResultKey<int> bytes;
};

struct MonholeKeys {
  BufferAmountKeys generated{{"monitor.monhole.generated.entries", "entries",
                              "monhole, all nodes: written: read + overwritten + refused + died + left behind."},
                             {"monitor.monhole.generated.bytes", "B",
                              "monhole, all nodes: written: read + overwritten + refused + died + left behind."}};
  BufferAmountKeys read{{"monitor.monhole.read.entries", "entries", "monhole, all nodes: read by one sink or more."},
                        {"monitor.monhole.read.bytes", "B", "monhole, all nodes: read by one sink or more."}};
  BufferAmountKeys overwritten{{"monitor.monhole.overwritten.entries", "entries",
                                "monhole, all nodes: by a later write of their source, before anybody read them."},
                               {"monitor.monhole.overwritten.bytes", "B",
                                "monhole, all nodes: by a later write of their source, before anybody read them."}};
  BufferAmountKeys refused{{"monitor.monhole.refused.entries", "entries", "monhole, all nodes: there was no memory."},
                           {"monitor.monhole.refused.bytes", "B", "monhole, all nodes: there was no memory."}};
  BufferAmountKeys died{
      {"monitor.monhole.died.entries", "entries", "monhole, all nodes: with mon, before anybody read them."},
      {"monitor.monhole.died.bytes", "B", "monhole, all nodes: with mon, before anybody read them."}};
  BufferAmountKeys left_behind{
      {"monitor.monhole.left_behind.entries", "entries", "monhole, all nodes: still there in the end, read by nobody."},
      {"monitor.monhole.left_behind.bytes", "B", "monhole, all nodes: still there in the end, read by nobody."}};
  BufferAmountKeys read_again{{"monitor.monhole.read_again.entries", "entries",
                               "monhole, all nodes: readings behind an entry's first one, by whichever sink."},
                              {"monitor.monhole.read_again.bytes", "B",
                               "monhole, all nodes: readings behind an entry's first one, by whichever sink."}};
  struct Peak {
    ResultKey<int> bytes{"monitor.monhole.peak.bytes", "B", "monhole: the most that one mon kept."};
    ResultKey<int> entries{"monitor.monhole.peak.entries", "entries", "monhole: that these were."};
    ResultKey<std::optional<int>> node{"monitor.monhole.peak.node", "", "monhole: where; null if nothing was written."};
    ResultKey<std::optional<double>> at_s{"monitor.monhole.peak.at_s", "s",
                                          "monhole: when; null if nothing was written."};
  } peak;
  struct FirstRefused {
    ResultKey<std::optional<int>> node{"monitor.monhole.first_refused.node", "",
                                       "monhole: where memory was missing first; null: never."};
    ResultKey<std::optional<double>> at_s{"monitor.monhole.first_refused.at_s", "s", "monhole: when; null: never."};
  } first_refused;
  struct Sinks {
    ResultList list{"monitor.monhole.sinks[]"};
    ResultKey<int> sink{"monitor.monhole.sinks[].sink", "", "monhole: its number."};
    ResultKey<int> reads{"monitor.monhole.sinks[].reads", "", "monhole: that it made, of every node one."};
    ResultKey<int> reads_of_no{"monitor.monhole.sinks[].reads_of_no", "",
                               "monhole: of these, that brought nothing new to it."};
    BufferAmountKeys seen{
        {"monitor.monhole.sinks[].seen.entries", "entries",
         "monhole, a sink: what it read, once; with the following five that is all that was generated."},
        {"monitor.monhole.sinks[].seen.bytes", "B",
         "monhole, a sink: what it read, once; with the following five that is all that was generated."}};
    BufferAmountKeys overwritten{
        {"monitor.monhole.sinks[].overwritten.entries", "entries", "monhole, a sink: before it came to read."},
        {"monitor.monhole.sinks[].overwritten.bytes", "B", "monhole, a sink: before it came to read."}};
    BufferAmountKeys drained{
        {"monitor.monhole.sinks[].drained.entries", "entries", "monhole, a sink: by another sink before that."},
        {"monitor.monhole.sinks[].drained.bytes", "B", "monhole, a sink: by another sink before that."}};
    BufferAmountKeys refused{
        {"monitor.monhole.sinks[].refused.entries", "entries", "monhole, a sink: there was no memory."},
        {"monitor.monhole.sinks[].refused.bytes", "B", "monhole, a sink: there was no memory."}};
    BufferAmountKeys died{{"monitor.monhole.sinks[].died.entries", "entries", "monhole, a sink: with mon before that."},
                          {"monitor.monhole.sinks[].died.bytes", "B", "monhole, a sink: with mon before that."}};
    BufferAmountKeys left_behind{
        {"monitor.monhole.sinks[].left_behind.entries", "entries", "monhole, a sink: still there in the end."},
        {"monitor.monhole.sinks[].left_behind.bytes", "B", "monhole, a sink: still there in the end."}};
    BufferAmountKeys repeated{
        {"monitor.monhole.sinks[].repeated.entries", "entries", "monhole, a sink: readings of what it had seen."},
        {"monitor.monhole.sinks[].repeated.bytes", "B", "monhole, a sink: readings of what it had seen."}};
    ResultKey<std::optional<double>> mean_age_s{"monitor.monhole.sinks[].mean_age_s", "s",
                                                "monhole, a sink: mean time from the writing of an entry until mon "
                                                "gave it to the sink; null if the sink saw no entry."};
    ResultKey<std::optional<double>> oldest_s{"monitor.monhole.sinks[].oldest_s", "s",
                                              "monhole, a sink: longest time from the writing of an entry until mon "
                                              "gave it to the sink; null if the sink saw no entry."};
  } sinks;
};
inline constexpr MonholeKeys monhole_keys{};

} // namespace hypermon
