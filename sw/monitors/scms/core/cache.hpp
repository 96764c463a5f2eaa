// SPDX-License-Identifier: BSD-3-Clause
// What an SMA has collected of the nodes below it in asynchronous mode, and which of it its parent has not got yet.
#pragma once
#include "sw/monitors/scms/core/children.hpp"
#include "sw/monitors/scms/core/design.hpp"
#include "sw/monitors/scms/core/surroundings.hpp"

#include <map>
#include <vector>

namespace hypermon::scms {

class Cache {
public:
  /// `is_last`: nothing goes on from here (the root); what comes has arrived.
  Cache(const Design& design, const Children& children, std::size_t places, Surroundings& around, bool is_last);

  /// What the child `from` has pushed; `goes_on`: it has been sent to the parent as it came.
  void put(Peer from, const Push& push, bool goes_on, Time now);
  /// What the parent has not got: each node's youngest values.
  Rows fresh(std::uint32_t group);
  bool has_fresh(std::uint32_t group) const { return !groups_[group].fresh_rows.empty(); }
  /// The parent has got nothing.
  void all_fresh();
  void forget(const std::vector<NodeId>& nodes);
  /// The resource of each node, its youngest value; uncached if there is none.
  void look_up(Resource resource, std::size_t column, Rows& rows) const;

private:
  struct Of {
    ResourceVector resources;
    std::vector<Value> values;  // by place and resource
    std::vector<bool> unsent;   // of each of them: not only confirmed
    std::vector<bool> is_fresh; // by place
    std::vector<std::size_t> fresh_rows;
  };
  struct At {
    std::size_t group;
    std::size_t column;
  };
  void mark(Of& of, std::size_t place);
  void lose(Value& value, Loss why);

  const Children& children_;
  Surroundings& around_;
  bool is_last_;
  std::vector<Of> groups_;
  std::map<Resource, std::vector<At>> where_;
};

} // namespace hypermon::scms
