// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/monhole/monhole_part.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/monitors/supermon/monhole/params.hpp"

#include <initializer_list>
#include <utility>

namespace hypermon::supermon {
namespace {

using Described = std::initializer_list<std::pair<const char*, const char*>>;

/// Of entries and of their bytes.
void add_amounts(ResultKeys& keys, const std::string& below, const std::string& whose, Described what) {
  for (const auto& [name, description] : what)
    for (const auto& [counted, unit] : {std::pair{".entries", "entries"}, std::pair{".bytes", "B"}})
      keys.push_back({below + name + counted, unit, whose + description});
}

} // namespace

SectionKind monhole_section() {
  return section<MonholeParams>(
      "monhole", "Buffer in each mon for data that processes of its node write, until clients read them.");
}

void check_monhole(const Spec& spec) {
  const auto& params = spec.get<MonholeParams>();
  if (params.policy == BufferPolicy::fill_k_read && params.entries == 0)
    throw UserError("monhole.policy = fill_k_read: needs its K, monhole.entries = 1 or more");
}

ResultKeys monhole_results() {
  ResultKeys keys;
  add_amounts(keys, "monitor.monhole.", "monhole, all nodes: ",
              {{"generated", "written: read + overwritten + refused + died + left behind."},
               {"read", "read by one sink or more."},
               {"overwritten", "by a later write of their source, before anybody read them."},
               {"refused", "there was no memory."},
               {"died", "with mon, before anybody read them."},
               {"left_behind", "still there in the end, read by nobody."},
               {"read_again", "readings behind an entry's first one, by whichever sink."}});
  keys.push_back({"monitor.monhole.peak.bytes", "B", "monhole: the most that one mon kept."});
  keys.push_back({"monitor.monhole.peak.entries", "entries", "monhole: that these were."});
  keys.push_back({"monitor.monhole.peak.node", "", "monhole: where; null if nothing was written.", result::or_null()});
  keys.push_back({"monitor.monhole.peak.at_s", "s", "monhole: when; null if nothing was written.", result::or_null()});
  keys.push_back({"monitor.monhole.first_refused.node", "", "monhole: where memory was missing first; null: never.",
                  result::or_null()});
  keys.push_back({"monitor.monhole.first_refused.at_s", "s", "monhole: when; null: never.", result::or_null()});
  keys.push_back({"monitor.monhole.sinks[].sink", "", "monhole: its number."});
  keys.push_back({"monitor.monhole.sinks[].reads", "", "monhole: that it made, of every node one."});
  keys.push_back({"monitor.monhole.sinks[].reads_of_no", "", "monhole: of these, that brought nothing new to it."});
  add_amounts(keys, "monitor.monhole.sinks[].", "monhole, a sink: ",
              {{"seen", "what it read, once; with the following five that is all that was generated."},
               {"overwritten", "before it came to read."},
               {"drained", "by another sink before that."},
               {"refused", "there was no memory."},
               {"died", "with mon before that."},
               {"left_behind", "still there in the end."},
               {"repeated", "readings of what it had seen."}});
  keys.push_back({"monitor.monhole.sinks[].mean_age_s", "s",
                  "monhole, a sink: mean time from the writing of an entry until mon gave it to the sink; null if the "
                  "sink saw no entry.",
                  result::or_null()});
  keys.push_back({"monitor.monhole.sinks[].oldest_s", "s",
                  "monhole, a sink: longest time from the writing of an entry until mon gave it to the sink; null if "
                  "the sink saw no entry.",
                  result::or_null()});
  return keys;
}

} // namespace hypermon::supermon
