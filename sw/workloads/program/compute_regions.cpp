// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/program/compute_regions.hpp"
#include "base/crc32.hpp"
#include "base/user_error.hpp"
#include "sw/os/execution.hpp"
#include "sw/workloads/program/result_keys.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>

namespace hypermon {
namespace {

double cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

std::string whole_text(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A calibration contains the CRC-32 of its own text, computed with zeros in place of the eight digits of the checksum
// (python/hypermon/calibrating.py writes it).
bool is_whole(std::string text) {
  constexpr std::string_view key = "\"crc32\": \"";
  constexpr std::size_t digits = 8;
  const std::size_t at = text.find(key);
  if (at == std::string::npos || text.size() < at + key.size() + digits) return false;
  const std::string checksum = text.substr(at + key.size(), digits);
  text.replace(at + key.size(), digits, digits, '0');
  return checksum == crc32_text(text);
}

double least_reading_ns() {
  double least = 1e9;
  for (int i = 0; i < 1000; ++i) {
    const double before = cpu_ns();
    least = std::min(least, cpu_ns() - before);
  }
  return least;
}

} // namespace

void RegionObserver::enter(const RankState& rank, const MpiCall& call) {
  const auto& from = at_[static_cast<std::size_t>(rank.rank)];
  const LoadedObject& object = object_of_(rank.rank);
  const std::int64_t to =
      object.contains(call.site()) ? static_cast<std::int64_t>(object.offset_of(call.site())) : Region::outside;
  if (from) end(rank.rank, {*from, to}); // code before MPI_Init is not observed
  at_[static_cast<std::size_t>(rank.rank)] = to;
}

void RegionObserver::leave(const RankState& rank, const MpiCall&) { begin(rank.rank); }

// Measuring
// -----------------------------------------------------------------------------------------------------------------

MeasuredRegions::MeasuredRegions(int ranks, ObjectOf object_of)
    : RegionObserver(ranks, std::move(object_of)), clock_ns_(least_reading_ns()),
      began_(static_cast<std::size_t>(ranks)) {}

void MeasuredRegions::begin(int rank) { began_[static_cast<std::size_t>(rank)] = {cpu_ns(), ++calls_}; }

void MeasuredRegions::end(int rank, Region region) {
  const double now = cpu_ns();
  const Begin& began = began_[static_cast<std::size_t>(rank)];
  if (began.call != calls_++) return; // the rank slept, and others ran
  Sum& sum = sums_[region];
  const double ns = std::max(0.0, now - began.ns - clock_ns_);
  const double difference = ns - sum.mean;
  sum.mean += difference / static_cast<double>(++sum.count);
  sum.squares += difference * (ns - sum.mean);
}

Json MeasuredRegions::to_json() const {
  Json regions = Json::array();
  for (const auto& [region, sum] : sums_)
    regions.push_back({{"from", region.from},
                       {"to", region.to},
                       {"count", sum.count},
                       {"mean_ns", sum.mean},
                       {"spread_ns", std::sqrt(sum.squares / static_cast<double>(sum.count))}});
  return {{"regions", std::move(regions)}};
}

// Charging
// ------------------------------------------------------------------------------------------------------------------

ChargedRegions::ChargedRegions(int ranks, ObjectOf object_of, const std::string& file, const std::string& object_sha256,
                               double factor)
    : RegionObserver(ranks, std::move(object_of)) {
  const std::string name = "program.calibration = " + file;
  const std::string text = whole_text(file);
  if (!is_whole(text))
    throw UserError(name + ": is damaged, or of another version: its checksum is another; measure again with hypermon "
                           "calibrate");
  try {
    const Json json = Json::parse(text);
    if (const auto sha256 = json.at("sha256").get<std::string>(); sha256 != object_sha256)
      throw UserError(name + ": was measured with another program (" + sha256.substr(0, 12) + ", this one is " +
                      object_sha256.substr(0, 12) + "); measure again with hypermon calibrate");
    for (const Json& region : json.at("regions"))
      times_[{region.at("from").get<std::int64_t>(), region.at("to").get<std::int64_t>()}] =
          Time::from_ns_rounded(region.at("mean_ns").get<double>() * factor);
  } catch (const JsonError& e) {
    throw UserError(name + ": is not a calibration of hypermon calibrate: " + e.what());
  }
}

void ChargedRegions::end(int, Region region) {
  ++passes_[region];
  const auto time = times_.find(region);
  if (time == times_.end()) return;
  charged_ += time->second;
  execution().compute_observed(rank_table().self(), time->second);
}

ResultValues ChargedRegions::report() const {
  std::uint64_t known = 0;
  std::uint64_t charges = 0;
  std::uint64_t unmeasured = 0;
  for (const auto& [region, count] : passes_) {
    const bool is_known = times_.contains(region);
    known += is_known ? 1 : 0;
    (is_known ? charges : unmeasured) += count;
  }
  const ProgramKeys& keys = program_keys;
  return {keys.charges(charges), keys.charged_s(charged_), keys.regions(known),
          keys.unmeasured_regions(passes_.size() - known), keys.unmeasured_passes(unmeasured)};
}

} // namespace hypermon
