// SPDX-License-Identifier: BSD-3-Clause
// Operations of different parts of the machine, related by the id of the operation that caused them: a client's call,
// its requests, a server's steps, a disk's operations.
#pragma once
#include <compare>
#include <cstdint>

namespace hypermon {

/// An operation. Ids depend only on the order of events in the simulated machine, not on how the simulation divides its
/// work.
struct OperationId {
  std::uint64_t number = 0; ///< 0: no operation
  auto operator<=>(const OperationId&) const = default;
  explicit operator bool() const { return number != 0; }

  /// A rank's MPI call: the rank among the processes of all programs, and the call's number, from 1 on
  /// (RankCall::number).
  static constexpr OperationId of_call(int rank, std::uint64_t call) {
    return {(static_cast<std::uint64_t>(rank) + 1) << 40 | call};
  }
};

} // namespace hypermon
