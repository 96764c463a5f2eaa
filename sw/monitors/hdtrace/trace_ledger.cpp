// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/trace_ledger.hpp"

#include <algorithm>

namespace hypermon::hdtrace {
namespace {

Time whole(Time t, Time unit) { return unit * (t / unit - (t.ps() % unit.ps() < 0 ? 1 : 0)); }

} // namespace

Time TraceLedger::local(std::size_t computer, Time now) const {
  return whole(computer < clocks_.size() ? clocks_[computer].read(now) : now, resolution_);
}

Time TraceLedger::read(std::size_t computer, Time now) {
  const Time shown = local(computer, now);
  (computer < clocks_.size() ? errors_[computer] : of_servers_).add(shown - now);
  return shown;
}

Ledger TraceLedger::ledger() const {
  Ledger ledger("bytes");
  ledger.generated = generated_;
  ledger.delivered = delivered_;
  ledger.lost.push_back({"trace_buffer", "buffer_full", buffer_full_});
  ledger.lost.push_back({"trace_disk", "disk_full", disk_full_});
  const auto left = [&](std::uint64_t Ledger::Amount::*field) {
    return generated_.*field - delivered_.*field - buffer_full_.*field - disk_full_.*field;
  };
  ledger.in_flight = {left(&Ledger::Amount::units), left(&Ledger::Amount::events)};
  return ledger;
}

TimestampError TraceLedger::error() const {
  TimestampError all = of_servers_;
  for (std::size_t n = 0; n < errors_.size(); ++n) {
    const TimestampError& own = errors_[n];
    if (own.count == 0) continue;
    const Time low = own.min + shifts_[n];
    const Time high = own.max + shifts_[n];
    all.min = all.count == 0 ? low : std::min(all.min, low);
    all.max = all.count == 0 ? high : std::max(all.max, high);
    all.sum += own.sum + shifts_[n] * static_cast<std::int64_t>(own.count);
    all.count += own.count;
  }
  return all;
}

std::uint64_t TraceLedger::violations() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(pairs_, [this](const Pair& pair) {
    return pair.difference + shift(pair.receiver) - shift(pair.sender) < Time{};
  }));
}

std::uint64_t TraceLedger::violations_as_written() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(pairs_, [](const Pair& pair) { return pair.difference < Time{}; }));
}

} // namespace hypermon::hdtrace
