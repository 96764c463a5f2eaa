// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/rounds.hpp"

#include <algorithm>

namespace hypermon::scms {

void Rounds::begin(std::uint64_t round, Time now) {
  open_ = round;
  since_ = now;
  awaited_ = 0;
  for (const auto& [child, last] : last_) awaited_ += last < round ? 1 : 0;
}

void Rounds::push(Peer child, std::uint64_t round, Time now) {
  const auto found = last_.find(child);
  if (found == last_.end()) return;
  if (open_ && found->second < *open_ && round >= *open_) --awaited_;
  found->second = std::max(found->second, round);
  if (!open_) begin(round, now);
}

void Rounds::children(const std::vector<Peer>& all) {
  std::map<Peer, std::uint64_t> kept;
  for (const Peer child : all) {
    const auto found = last_.find(child);
    kept[child] = found != last_.end() ? found->second : 0;
  }
  last_ = std::move(kept);
  if (open_) begin(*open_, since_);
}

void Rounds::close(Time now) {
  const std::uint64_t closed = *open_;
  open_.reset();
  std::uint64_t later = 0;
  for (const auto& [child, last] : last_) later = std::max(later, last);
  if (later > closed) begin(later, now);
}

} // namespace hypermon::scms
