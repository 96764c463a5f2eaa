// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/profile_log.hpp"
#include "base/text_file.hpp"
#include "sw/monitors/tau/core/profile_text.hpp"

namespace hypermon::tau {

void ProfileLog::dump(const Dump& dump, std::string_view text) {
  under_way_[dump.rank].emplace(dump.number, text.size());
  generated_.units += text.size();
  ++generated_.events;
}

bool ProfileLog::settle(const Dump& dump, Ledger::Amount& amount) {
  const auto of_rank = under_way_.find(dump.rank);
  if (of_rank == under_way_.end()) return false;
  const auto found = of_rank->second.extract(dump.number);
  if (found.empty()) return false;
  amount.units += found.mapped();
  ++amount.events;
  return true;
}

void ProfileLog::arrive(const Dump& dump, Time now, std::string_view text) {
  if (!settle(dump, delivered_)) return void(++read_again_);
  age_.add(now - dump.taken);
  timestamp_error_.add(dump.stamped - dump.taken);
  if (folder_.empty()) return;
  if (!file_) file_ = std::make_unique<NpyFile<ProfileRow>>(folder_ + "/profiles.npy");
  for (const Line& line : parse_profile(text)) {
    const std::string name =
        line.name.substr(0, line.name.rfind(throttled_mark)); // the name before it was switched off
    const auto [routine, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(routines_.size()));
    if (is_new) routines_.push_back(name);
    file_->append({.arrival_ps = now.ps(),
                   .taken_ps = dump.taken.ps(),
                   .inclusive_ps = line.inclusive.ps(),
                   .exclusive_ps = line.exclusive.ps(),
                   .calls = line.calls,
                   .subroutines = line.subroutines,
                   .number = static_cast<std::uint32_t>(dump.number),
                   .rank = static_cast<std::uint32_t>(dump.rank),
                   .thread = 0, // a rank has only one
                   .routine = routine->second});
  }
}

void ProfileLog::lose(const Dump& dump, const std::string& stage, const std::string& cause) {
  Ledger::Amount amount;
  if (!settle(dump, amount)) return;
  Ledger::Amount& lost = Ledger::lost_to(lost_, stage, cause);
  lost.units += amount.units;
  lost.events += amount.events;
}

void ProfileLog::close() {
  if (!file_) return;
  file_->close();
  GrowingText file(folder_ + "/profiles.json");
  file.add(Json{{"rows", file_->size()}, {"routines", routines_}}, '\n');
  file.close();
}

Ledger ProfileLog::ledger() const {
  Ledger ledger("bytes");
  ledger.generated = generated_;
  ledger.delivered = delivered_;
  for (const auto& [rank, of_rank] : under_way_)
    for (const auto& [number, bytes] : of_rank) {
      ledger.in_flight.units += bytes;
      ++ledger.in_flight.events;
    }
  ledger.lost = lost_;
  return ledger;
}

} // namespace hypermon::tau
