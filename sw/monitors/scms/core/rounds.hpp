// SPDX-License-Identifier: BSD-3-Clause
// Determines when an SMA pushes a group on: as soon as every child has pushed that round, or after a longest wait.
#pragma once
#include "sw/monitors/scms/core/ids.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hypermon::scms {

class Rounds {
public:
  explicit Rounds(Time wait) : wait_(wait) {}

  /// A child has pushed.
  void push(Peer child, std::uint64_t round, Time now);
  /// Sets the children to wait for.
  void children(const std::vector<Peer>& all);
  /// The round that is being collected; none: no push has arrived.
  std::optional<std::uint64_t> open() const { return open_; }
  bool is_complete() const { return open_ && awaited_ == 0; }
  /// Time at which it is pushed on without the missing children.
  Time due() const { return open_ ? since_ + wait_ : Time::never(); }
  /// The round has been pushed on. Pushes of a later round that have arrived open that round.
  void close(Time now);

private:
  void begin(std::uint64_t round, Time now);

  Time wait_;
  std::map<Peer, std::uint64_t> last_; // last round of each child; 0: none yet
  std::optional<std::uint64_t> open_;
  std::size_t awaited_ = 0; // number of children
  Time since_;
};

} // namespace hypermon::scms
