// SPDX-License-Identifier: BSD-3-Clause
// The counters that are read from a node, divided into queries.
#pragma once
#include "base/counters.hpp"
#include "sw/monitors/hpvm/objects.hpp"
#include "sw/monitors/hpvm/params.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace hypermon::hpvm {

/// One query: the values of one answer. An object serves its queries one at a time.
struct Query {
  struct Counter {
    CounterId id;
    std::optional<std::uint32_t> item; ///< none: all items
    bool grows;                        ///< the program, or the starter of processes, may add items
    std::uint32_t items;               ///< otherwise their number
  };
  std::size_t object; ///< index among those of all selections
  std::vector<Counter> counters;
};

/// Number of the item that the word names, if it names one. Throws UserError if the counter has no such item.
std::optional<std::uint32_t> item_of(Counters& counters, CounterId id, const Named& named, const std::string& path);

class Selection {
public:
  /// Throws UserError if a counter is unknown or not available in this run.
  ///
  /// `words`: as in hpvm.counters. `path`: the parameter with these words. Its objects are added to `objects`.
  Selection(Counters& counters, const HpvmParams& params, const std::string& words, const std::string& path,
            std::int64_t processes_a_node, std::vector<std::string_view>& objects);

  const std::vector<Query>& queries() const { return queries_; }
  /// Calls take(counter, instance) for each value that the query has on that node now.
  template <class Take> void each(const Query& query, NodeId node, Take&& take) const {
    for (const Query::Counter& counter : query.counters)
      each_part(counter.id, node, [&](std::uint32_t part) {
        if (counter.item) return void(take(counter.id, CounterInstance{part, *counter.item}));
        for (std::uint32_t item = 0, count = items(counter); item < count; ++item)
          take(counter.id, CounterInstance{part, item});
      });
  }
  std::int64_t values(const Query& query, NodeId node) const {
    std::int64_t count = 0;
    for (const Query::Counter& counter : query.counters) {
      const std::int64_t of_each = counter.item ? 1 : items(counter);
      each_part(counter.id, node, [&](std::uint32_t) { count += of_each; });
    }
    return count;
  }
  std::int64_t values(NodeId node) const {
    std::int64_t count = 0;
    for (const Query& query : queries_) count += values(query, node);
    return count;
  }

private:
  template <class Do> void each_part(CounterId counter, NodeId node, Do&& act) const {
    const std::uint32_t count = counters_.parts(counter, node);
    if (counters_.info(counter).owner == CounterOf::process) {
      for (const std::uint32_t process : processes_)
        if (process < count) act(process);
    } else {
      for (std::uint32_t part = 0; part < count; ++part) act(part);
    }
  }
  std::uint32_t items(const Query::Counter& counter) const {
    return counter.grows ? static_cast<std::uint32_t>(counters_.items(counter.id).size()) : counter.items;
  }

  const Counters& counters_;
  std::vector<std::uint32_t> processes_; // queried processes of each node
  std::vector<Query> queries_;
};

} // namespace hypermon::hpvm
