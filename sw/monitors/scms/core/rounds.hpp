// SPDX-License-Identifier: BSD-3-Clause
// When an SMA pushes a group on: as soon as every child has pushed that round, or has been waited for long enough.
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
  /// These are the children now: nobody else is waited for.
  void children(const std::vector<Peer>& all);
  /// The round that is collected; none: nothing has come.
  std::optional<std::uint64_t> open() const { return open_; }
  bool is_complete() const { return open_ && awaited_ == 0; }
  /// When it is pushed on without those that have not come.
  Time due() const { return open_ ? since_ + wait_ : Time::never(); }
  /// It has been. What has come of a later round opens that.
  void close(Time now);

private:
  void begin(std::uint64_t round, Time now);

  Time wait_;
  std::map<Peer, std::uint64_t> last_; // of each child; 0: none yet
  std::optional<std::uint64_t> open_;
  std::size_t awaited_ = 0; // children
  Time since_;
};

} // namespace hypermon::scms
