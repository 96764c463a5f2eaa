// SPDX-License-Identifier: BSD-3-Clause
// Result keys of monholes.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

/// Keys of a number of entries and of the entries' bytes.
struct BufferAmountKeys {
  ResultKey<int> entries;
  ResultKey<int> bytes;
};

struct MonholeKeys {
  BufferAmountKeys generated{{"monitor.monhole.generated.entries", "entries",
                              "Number of monhole entries written on all nodes: those read, overwritten, refused, lost "
                              "with mon and left behind."},
                             {"monitor.monhole.generated.bytes", "B",
                              "Bytes of the monhole entries written on all nodes: those read, overwritten, refused, "
                              "lost with mon and left behind."}};
  BufferAmountKeys read{
      {"monitor.monhole.read.entries", "entries",
       "Number of monhole entries that at least one sink read, on all nodes."},
      {"monitor.monhole.read.bytes", "B", "Bytes of the monhole entries that at least one sink read, on all nodes."}};
  BufferAmountKeys overwritten{{"monitor.monhole.overwritten.entries", "entries",
                                "Number of monhole entries that a later write of their source replaced before any sink "
                                "read them, on all nodes."},
                               {"monitor.monhole.overwritten.bytes", "B",
                                "Bytes of the monhole entries that a later write of their source replaced before any "
                                "sink read them, on all nodes."}};
  BufferAmountKeys refused{
      {"monitor.monhole.refused.entries", "entries",
       "Number of monhole entries that were refused because the memory for them was full, on all nodes."},
      {"monitor.monhole.refused.bytes", "B",
       "Bytes of the monhole entries that were refused because the memory for them was full, on all nodes."}};
  BufferAmountKeys died{
      {"monitor.monhole.died.entries", "entries",
       "Number of monhole entries that were lost with a dead mon before any sink read them, on all nodes."},
      {"monitor.monhole.died.bytes", "B",
       "Bytes of the monhole entries that were lost with a dead mon before any sink read them, on all nodes."}};
  BufferAmountKeys left_behind{
      {"monitor.monhole.left_behind.entries", "entries",
       "Number of monhole entries that still waited for a sink at the end of the run, on all nodes."},
      {"monitor.monhole.left_behind.bytes", "B",
       "Bytes of the monhole entries that still waited for a sink at the end of the run, on all nodes."}};
  BufferAmountKeys read_again{{"monitor.monhole.read_again.entries", "entries",
                               "Number of readings of monhole entries by any sink after the entry's first reading."},
                              {"monitor.monhole.read_again.bytes", "B",
                               "Bytes of monhole entries that any sink read after the entry's first reading."}};
  struct Peak {
    ResultKey<int> bytes{"monitor.monhole.peak.bytes", "B", "Largest number of bytes in the monhole of any node."};
    ResultKey<int> entries{"monitor.monhole.peak.entries", "entries",
                           "Number of entries in the fullest monhole at its peak."};
    ResultKey<std::optional<int>> node{"monitor.monhole.peak.node", "",
                                       "Number of the node with the fullest monhole; null if nothing was written."};
    ResultKey<std::optional<double>> at_s{
        "monitor.monhole.peak.at_s", "s",
        "Time at which the fullest monhole was fullest; null if nothing was written."};
  } peak;
  struct FirstRefused {
    ResultKey<std::optional<int>> node{"monitor.monhole.first_refused.node", "",
                                       "Number of the node with the first monhole that refused an entry because its "
                                       "memory was full; null if none did."};
    ResultKey<std::optional<double>> at_s{
        "monitor.monhole.first_refused.at_s", "s",
        "Time at which a monhole first refused an entry because its memory was full; null if none did."};
  } first_refused;
  struct Sinks {
    ResultList list{"monitor.monhole.sinks[]"};
    ResultKey<int> sink{"monitor.monhole.sinks[].sink", "", "Number of the sink that reads the monholes."};
    ResultKey<int> reads{"monitor.monhole.sinks[].reads", "",
                         "Number of readings of monholes by the sink. Each reading covers one node."};
    ResultKey<int> reads_of_no{"monitor.monhole.sinks[].reads_of_no", "",
                               "Number of readings of monholes that brought the sink nothing new."};
    BufferAmountKeys seen{{"monitor.monhole.sinks[].seen.entries", "entries",
                           "Number of monhole entries that the sink read, each counted once. The entries seen, "
                           "overwritten, drained, refused, lost with mon and left behind add up to those generated."},
                          {"monitor.monhole.sinks[].seen.bytes", "B",
                           "Bytes of the monhole entries that the sink read, each counted once. The entries seen, "
                           "overwritten, drained, refused, lost with mon and left behind add up to those generated."}};
    BufferAmountKeys overwritten{{"monitor.monhole.sinks[].overwritten.entries", "entries",
                                  "Number of monhole entries that were overwritten before the sink read them."},
                                 {"monitor.monhole.sinks[].overwritten.bytes", "B",
                                  "Bytes of the monhole entries that were overwritten before the sink read them."}};
    BufferAmountKeys drained{{"monitor.monhole.sinks[].drained.entries", "entries",
                              "Number of monhole entries that another sink drained before this one read them."},
                             {"monitor.monhole.sinks[].drained.bytes", "B",
                              "Bytes of the monhole entries that another sink drained before this one read them."}};
    BufferAmountKeys refused{{"monitor.monhole.sinks[].refused.entries", "entries",
                              "Number of monhole entries that the sink could not read, because a full monhole had "
                              "refused them."},
                             {"monitor.monhole.sinks[].refused.bytes", "B",
                              "Bytes of the monhole entries that the sink could not read, because a full monhole had "
                              "refused them."}};
    BufferAmountKeys died{{"monitor.monhole.sinks[].died.entries", "entries",
                           "Number of monhole entries that were lost with a dead mon before the sink read them."},
                          {"monitor.monhole.sinks[].died.bytes", "B",
                           "Bytes of the monhole entries that were lost with a dead mon before the sink read them."}};
    BufferAmountKeys left_behind{
        {"monitor.monhole.sinks[].left_behind.entries", "entries",
         "Number of monhole entries that still waited for the sink at the end of the run."},
        {"monitor.monhole.sinks[].left_behind.bytes", "B",
         "Bytes of the monhole entries that still waited for the sink at the end of the run."}};
    BufferAmountKeys repeated{{"monitor.monhole.sinks[].repeated.entries", "entries",
                               "Number of monhole entries that the sink read again after it had seen them."},
                              {"monitor.monhole.sinks[].repeated.bytes", "B",
                               "Bytes of monhole entries that the sink read again after it had seen them."}};
    ResultKey<std::optional<double>> mean_age_s{
        "monitor.monhole.sinks[].mean_age_s", "s",
        "Mean time from the writing of a monhole entry until mon gave it to the sink; null if the sink saw no entry."};
    ResultKey<std::optional<double>> oldest_s{"monitor.monhole.sinks[].oldest_s", "s",
                                              "Longest time from the writing of a monhole entry until mon gave it to "
                                              "the sink; null if the sink saw no entry."};
  } sinks;
};
inline constexpr MonholeKeys monhole_keys{};

} // namespace hypermon
