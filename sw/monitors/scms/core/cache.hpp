// SPDX-License-Identifier: BSD-3-Clause
// Values that an SMA has collected from the nodes below it in asynchronous mode. It also tracks which of them its
// parent has not got yet.
#pragma once
#include "sw/monitors/scms/core/children.hpp"
#include "sw/monitors/scms/core/design.hpp"
#include "sw/monitors/scms/core/surroundings.hpp"

#include <map>
#include <vector>

namespace hypermon::scms {

class Cache {
public:
  /// `is_last`: values are not passed on from here (the root), so they have arrived.
  Cache(const Design& design, const Children& children, std::size_t places, Surroundings& around, bool is_last);

  /// Values that the child `from` has pushed. `goes_on`: they have been passed on to the parent separately.
  void put(Peer from, const Push& push, bool goes_on, Time now);
  /// The most recent values of each node that the parent has not got.
  Rows fresh(std::uint32_t group);
  bool has_fresh(std::uint32_t group) const { return !groups_[group].fresh_rows.empty(); }
  /// Marks all values as unknown to the parent.
  void all_fresh();
  void forget(const std::vector<NodeId>& nodes);
  /// Writes the most recent value of the resource on each node; uncached if there is none.
  void look_up(Resource resource, std::size_t column, Rows& rows) const;

private:
  struct GroupCache {
    ResourceVector resources;
    std::vector<Value> values;  // by place and resource
    std::vector<bool> unsent;   // for each value: it was not only confirmed since the last push
    std::vector<bool> is_fresh; // by place
    std::vector<std::size_t> fresh_rows;
  };
  struct At {
    std::size_t group;
    std::size_t column;
  };
  void mark(GroupCache& group, std::size_t place);
  void lose(Value& value, Loss why);

  const Children& children_;
  Surroundings& around_;
  bool is_last_;
  std::vector<GroupCache> groups_;
  std::map<Resource, std::vector<At>> where_;
};

} // namespace hypermon::scms
