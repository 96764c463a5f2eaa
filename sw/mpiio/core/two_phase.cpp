// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/two_phase.hpp"

namespace hypermon::mpiio {
namespace {

/// The nearest multiple of `unit`.
std::int64_t aligned(std::int64_t offset, std::int64_t unit) {
  const std::int64_t front = offset % unit;
  return front < unit - front ? offset - front : offset + unit - front;
}

} // namespace

TwoPhase::TwoPhase(std::vector<Access> accesses, Settings settings)
    : accesses_(std::move(accesses)), settings_(settings) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = 0;
  for (const Access& a : accesses_) {
    if (a.bytes == 0) continue;
    first = std::min(first, a.file_begin());
    last = std::max(last, a.file_end());
  }
  const std::int64_t n = settings_.aggregators;
  const std::int64_t domain = std::max((last - first + n - 1) / n, settings_.alignment);
  std::int64_t begin = first;
  for (std::int64_t a = 0; a < n; ++a) {
    std::int64_t end = first + (a + 1) * domain;
    if (settings_.alignment > 0) end = aligned(end, settings_.alignment);
    end = a + 1 == n ? last : std::clamp(end, begin, last);
    Window touched{end, begin}; // the accessed part
    for (const Access& access : accesses_) {
      const DataRange own = access.within(begin, end);
      if (own.bytes() == 0) continue;
      touched.begin = std::min(touched.begin, access.in_file.at(access.first + own.begin).offset);
      touched.end = std::max(touched.end, access.in_file.at(access.first + own.end - 1).offset + 1);
    }
    windows_.push_back(touched);
    const std::int64_t length = std::max<std::int64_t>(touched.end - touched.begin, 0);
    rounds_ = std::max(rounds_, (length + settings_.buffer_bytes - 1) / settings_.buffer_bytes);
    begin = end;
  }
}

bool TwoPhase::interleave(const std::vector<Access>& accesses) {
  std::optional<std::int64_t> end;
  for (const Access& a : accesses) {
    if (a.bytes == 0) continue;
    if (end && a.file_begin() < *end) return true;
    end = a.file_end();
  }
  return false;
}

TwoPhase::Window TwoPhase::window(std::int64_t aggregator, std::int64_t round) const {
  const Window& whole = windows_[static_cast<std::size_t>(aggregator)];
  const std::int64_t begin = whole.begin + round * settings_.buffer_bytes;
  return {begin, std::min(whole.end, begin + settings_.buffer_bytes)};
}

DataRange TwoPhase::part(std::size_t process, std::int64_t aggregator, std::int64_t round) const {
  const auto [begin, end] = window(aggregator, round);
  return begin < end ? accesses_[process].within(begin, end) : DataRange{};
}

std::optional<TwoPhase::Region> TwoPhase::region(std::int64_t aggregator, std::int64_t round) const {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = 0;
  std::int64_t bytes = 0;
  for (std::size_t p = 0; p < accesses_.size(); ++p) {
    const DataRange own = part(p, aggregator, round);
    if (own.bytes() == 0) continue;
    const Access& a = accesses_[p];
    begin = std::min(begin, a.in_file.at(a.first + own.begin).offset);
    end = std::max(end, a.in_file.at(a.first + own.end - 1).offset + 1);
    bytes += own.bytes();
  }
  if (bytes == 0) return std::nullopt;
  return Region{{begin, end - begin}, bytes < end - begin};
}

} // namespace hypermon::mpiio
