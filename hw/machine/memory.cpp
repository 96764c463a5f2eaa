// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/memory.hpp"

#include <algorithm>
#include <cmath>

namespace hypermon {
namespace {

bool is_there(const NodeMemory::Bystander& b, Time now) { return b.begin <= now && now < b.end; }

} // namespace

std::int64_t NodeMemory::resize(std::size_t process, std::int64_t bytes) {
  Process& own = processes_[process];
  const auto pages = [&](std::int64_t bytes) { return (bytes + design_.page - 1) / design_.page; };
  const std::int64_t first = std::max<std::int64_t>(pages(bytes) - pages(own.touched), 0);
  own.bytes = bytes;
  own.touched = std::max(own.touched, bytes);
  own.faults += first;
  return first;
}

std::int64_t NodeMemory::misses(std::size_t process, Time work, Time now) {
  Process& own = processes_[process];
  const std::int64_t all = wanted(now);
  if (all <= design_.bytes || own.bytes == 0) return 0;
  const double missing = static_cast<double>(all - design_.bytes) / static_cast<double>(all);
  own.owed += work.seconds() * design_.sweep_bytes_per_s / static_cast<double>(design_.page) * missing;
  const double whole = std::floor(own.owed);
  own.owed -= whole;
  own.faults += static_cast<std::int64_t>(whole);
  own.reads += static_cast<std::int64_t>(whole);
  return static_cast<std::int64_t>(whole);
}

std::int64_t NodeMemory::wanted(Time now) const {
  std::int64_t sum = 0;
  for (const Process& p : processes_) sum += p.bytes;
  for (const Bystander& b : bystanders_)
    if (is_there(b, now)) sum += b.bytes;
  return sum;
}

std::int64_t NodeMemory::part(std::int64_t bytes, Time now) const {
  const std::int64_t all = wanted(now);
  if (all <= design_.bytes) return bytes;
  __extension__ using Wide = __int128;
  // all > design_.bytes >= 0: NOLINTNEXTLINE(clang-analyzer-core.DivideZero)
  return static_cast<std::int64_t>(static_cast<Wide>(bytes) * design_.bytes / all);
}

std::int64_t NodeMemory::resident(const std::string& bystander, Time now) const {
  std::int64_t sum = 0;
  for (const Bystander& b : bystanders_)
    if (b.name == bystander && is_there(b, now)) sum += b.bytes;
  return part(sum, now);
}

} // namespace hypermon
