// SPDX-License-Identifier: BSD-3-Clause
// Data that the ranks of a collective call exchange. Each rank stores its part here when it enters, and reads its
// result when its messages have arrived, so that the result is correct for every algorithm. Parts are combined in the
// order of the ranks.
#pragma once
#include "sw/messages/core/collective.hpp"

#include <smpi/smpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::messages {

/// The contents of a message: the data of a buffer of some datatype, packed without gaps.
using Bytes = std::vector<char>;
Bytes packed(const void* data, std::int64_t count, MPI_Datatype type);
/// Writes as much as fits. Returns MPI_ERR_TRUNCATE if that is not all.
int unpack(const Bytes& from, void* data, std::int64_t count, MPI_Datatype type);

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
  int taken = 0;           // number of ranks that have taken their results
  std::int64_t bytes = -1; // size given by the first rank that enters, for calls in which all ranks give the same size

  /// A rank's blocks: one block, or one for each rank.
  void give(int rank, std::vector<Bytes> blocks) { parts_[static_cast<std::size_t>(rank)] = std::move(blocks); }
  /// The block of `from` for all ranks, or for `to`. Throws std::logic_error if `from` has not entered: messages that
  /// claim its arrival would be an error of the simulation.
  const Bytes& block(int from, int to = 0) const;
  /// The combined parts of the ranks up to `last`.
  const Bytes& combined(int last, int count, MPI_Datatype type, MPI_Op op);

private:
  std::vector<std::optional<std::vector<Bytes>>> parts_;
  std::vector<std::unique_ptr<Bytes>> combined_; // up to each rank; computed on first use
};

} // namespace hypermon::messages
