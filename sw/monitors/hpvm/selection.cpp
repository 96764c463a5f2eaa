// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hpvm/selection.hpp"
#include "base/edit_distance.hpp"
#include "base/user_error.hpp"
#include "hw/machine/index_list.hpp"

#include <algorithm>

namespace hypermon::hpvm {
std::optional<std::uint32_t> item_of(Counters& counters, CounterId id, const Named& named, const std::string& path) {
  if (named.item.empty()) return std::nullopt;
  try {
    return counters.item(id, named.item, path);
  } catch (const UserError&) {
    const std::string near = nearest_word(named.item, counters.items(id));
    throw UserError(path + " = " + named.counter + ":" + named.item + ": " + named.counter + " has no such item" +
                    (near.empty() ? "" : "; did you mean " + named.counter + ":" + near + "?"));
  }
}

Selection::Selection(Counters& counters, const HpvmParams& params, const std::string& words, const std::string& path,
                     std::int64_t processes_a_node, std::vector<std::string_view>& objects)
    : counters_(counters), processes_(all_or_index_list("hpvm.processes", params.processes, processes_a_node,
                                                        "numbers of a node's processes")) {
  for (const Named& named : named_counters(words, path)) {
    const CounterId id = counters.want(named.counter, path);
    const CounterInfo& info = counters.info(id);
    const bool grows = info.by == CounterBy::user || info.by == CounterBy::routine || info.by == CounterBy::process;
    Query::Counter counter{id, item_of(counters, id, named, path), grows, 1};
    if (info.by != CounterBy::whole && !counter.grows)
      counter.items = static_cast<std::uint32_t>(counters.items(id).size());
    const std::string_view name = object_of(named.counter);
    const auto object = std::find(objects.begin(), objects.end(), name) - objects.begin();
    if (static_cast<std::size_t>(object) == objects.size()) objects.push_back(name);
    const auto same = [&](const Query& q) { return q.object == static_cast<std::size_t>(object); };
    const auto query = std::find_if(queries_.begin(), queries_.end(), same);
    if (params.way == WayToAsk::pdh || query == queries_.end())
      queries_.push_back({static_cast<std::size_t>(object), {counter}});
    else
      query->counters.push_back(counter);
  }
}

} // namespace hypermon::hpvm
