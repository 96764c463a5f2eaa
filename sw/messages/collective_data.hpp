// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a collective call hand over and get: each leaves its part here when it comes, and takes what it
// gets when its messages have come, so that answers are right whatever the algorithm. Parts are combined in the order
// of the ranks.
#pragma once
#include "sw/messages/core/collective.hpp"
#include "sw/messages/packed.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::messages {

class CollectiveCall {
public:
  CollectiveCall(Wire& wire, std::vector<int> members, std::uint64_t context, std::uint64_t number,
                 const char* function)
      : messages(wire, std::move(members)), context(context), number(number), function(function),
        parts_(static_cast<std::size_t>(messages.size())), combined_(parts_.size()) {}

  Collective messages;
  const std::uint64_t context;
  const std::uint64_t number;
  const char* const function;
  int taken = 0;           // ranks that have what they get
  std::int64_t bytes = -1; // what the first one to come says of all: calls that agree on it

  /// A rank's blocks: one, or one for each rank.
  void give(int rank, std::vector<Bytes> blocks) { parts_[static_cast<std::size_t>(rank)] = std::move(blocks); }
  /// What `from` has for everybody, or for `to`. Throws std::logic_error if it has not come: then no message can have
  /// said that it has.
  const Bytes& block(int from, int to = 0) const;
  /// What the ranks up to `last` have, combined.
  const Bytes& combined(int last, int count, MPI_Datatype type, MPI_Op op);

private:
  std::vector<std::optional<std::vector<Bytes>>> parts_;
  std::vector<std::unique_ptr<Bytes>> combined_; // up to each rank, once somebody has asked
};

} // namespace hypermon::messages
