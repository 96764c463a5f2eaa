// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/core/overhead_control.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hypermon::tau {
namespace {

constexpr double spare = 0.85;      ///< (chosen) share of the remaining overhead into which an addition must fit
constexpr std::uint64_t enough = 8; ///< (chosen) with fewer dumps the overhead cannot be judged
constexpr const char* application = ".TAU application"; ///< starts once

/// A number in the profile's metadata.
template <class Number> Number metadata_number(std::string_view profile, std::string_view name) {
  const std::string key = "<name>" + std::string(name) + "</name><value>";
  const std::size_t at = profile.find(key);
  if (at == std::string_view::npos) throw ProfileError("line 2: no metadata \"" + std::string(name) + "\"");
  const std::string_view rest = profile.substr(at + key.size());
  Number value{};
  if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec != std::errc{})
    throw ProfileError("line 2: metadata \"" + std::string(name) + "\" must be a number");
  return value;
}

} // namespace

void OverheadControl::see(int rank, std::string_view profile, Time now) {
  Seen seen{metadata_number<std::uint64_t>(profile, OwnCosts::control),
            metadata_number<std::int64_t>(profile, OwnCosts::timestamp),
            metadata_number<std::uint64_t>(profile, OwnCosts::dumps),
            metadata_number<std::int64_t>(profile, OwnCosts::dumping_us),
            metadata_number<double>(profile, OwnCosts::timer_us),
            {}};
  for (const Line& line : parse_profile(profile))
    if (line.name != application) seen.calls.emplace(line.name, line.calls);
  const auto [found, is_first] = last_.try_emplace(rank, seen);
  if (is_first) return;
  Seen& before = found->second;
  if (seen.dumps <= before.dumps) return; // this profile has arrived before
  if (before.control == control_.number && seen.control == control_.number) {
    window_.timer_s = seen.timer_us * 1e-6;
    window_.seconds += static_cast<double>(seen.at_us - before.at_us) * 1e-6;
    window_.dumping += static_cast<double>(seen.dumping_us - before.dumping_us) * 1e-6;
    window_.dumps += seen.dumps - before.dumps;
    for (const auto& [name, calls] : seen.calls) {
      const auto earlier = before.calls.find(name);
      const std::uint64_t more = calls - (earlier == before.calls.end() ? 0 : earlier->second);
      window_.calls[name] += more;
      window_.timing += static_cast<double>(more) * window_.timer_s;
    }
  }
  before = std::move(seen);
  if (window_.dumps >= enough && window_.seconds >= target_.interval.seconds() * static_cast<double>(last_.size()))
    decide(now);
}

bool OverheadControl::is_obeyed() const {
  return std::ranges::all_of(last_, [&](const auto& one) { return one.second.control == control_.number; });
}

void OverheadControl::decide(Time now) {
  const double otherwise = std::max(window_.seconds - window_.timing - window_.dumping, 1e-9 * window_.seconds);
  judged_.push_back({now, (window_.timing + window_.dumping) / otherwise});
  const std::set<std::string> off_now(control_.off.begin(), control_.off.end());
  for (const auto& [name, calls] : window_.calls)
    if (!off_now.contains(name)) shares_[name] = static_cast<double>(calls) * window_.timer_s / otherwise;
  // expected dumping time if processes dumped at every dump point
  const double dumps = window_.dumping / otherwise * static_cast<double>(control_.every);
  window_ = {};

  double timers = 0;
  const double dumps_at_least = dumps / static_cast<double>(target_.most_every);
  const std::set<std::string> off = choose_off(off_now, dumps_at_least, timers);
  out_of_reach_ = timers + dumps_at_least > target_.share;
  const double room = target_.share - timers;
  const auto fitting = [&](double part) {
    const auto most = static_cast<double>(target_.most_every);
    return room > 0 ? std::clamp(std::ceil(dumps / (part * room)), 1.0, most) : most;
  };
  auto every = static_cast<double>(control_.every);
  if (fitting(1) > every)
    every = fitting(1);
  else if (fitting(spare) < every)
    every = std::floor(std::sqrt(fitting(spare) * every));
  if (off == off_now && static_cast<std::int64_t>(every) == control_.every) return;
  control_ = {control_.number + 1, static_cast<std::int64_t>(every), {off.begin(), off.end()}};
}

std::set<std::string> OverheadControl::choose_off(std::set<std::string> off, double dumps_at_least,
                                                  double& timers) const {
  std::vector<std::pair<double, std::string>> on;
  std::vector<std::pair<double, std::string>> not_on;
  for (const auto& [name, share] : shares_) (off.contains(name) ? not_on : on).emplace_back(share, name);
  std::ranges::sort(on);
  timers = 0;
  for (const auto& [share, name] : on) timers += share;
  if (!target_.may_switch_off) return off;
  const auto fits = [&](double part) { return timers + dumps_at_least <= part * target_.share; };
  const bool was_too_much = !fits(1);
  for (; !fits(1) && !on.empty(); on.pop_back()) {
    timers -= on.back().first;
    off.insert(on.back().second);
  }
  if (was_too_much || not_on.empty()) return off;
  const auto& [share, name] = *std::ranges::min_element(not_on);
  timers += share;
  if (fits(spare))
    off.erase(name);
  else
    timers -= share;
  return off;
}

} // namespace hypermon::tau
