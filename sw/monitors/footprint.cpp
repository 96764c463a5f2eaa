// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/footprint.hpp"

#include <algorithm>

namespace hypermon {
namespace {

/// Of the places of one sort, together and at most.
template <class Amount> struct Sum {
  Amount all{};
  Amount most{};
  void add(Amount one) {
    all += one;
    most = std::max(most, one);
  }
};

template <class Amount> Sum<Amount> sum(const std::map<Place, Amount>& by_place, bool of_nodes) {
  Sum<Amount> found;
  for (const auto& [place, amount] : by_place)
    if ((place.kind == Place::Kind::node) == of_nodes) found.add(amount);
  return found;
}

} // namespace

void Footprint::work(const Place& at, Time nominal) {
  if (nominal > Time{}) cpu_[at] += nominal;
}

void Footprint::keep(const Place& at, std::int64_t bytes) {
  if (bytes > 0) memory_[at] += bytes;
}

Json Footprint::to_json() const {
  const auto of = [this](bool nodes) {
    const Sum<Time> cpu = sum(cpu_, nodes);
    const Sum<std::int64_t> memory = sum(memory_, nodes);
    return Json{{"cpu_s", cpu.all.seconds()},
                {"busiest_cpu_s", cpu.most.seconds()},
                {"memory_bytes", memory.all},
                {"fullest_memory_bytes", memory.most}};
  };
  return {{"nodes", of(true)}, {"others", of(false)}, {"stored_bytes", stored_}};
}

} // namespace hypermon
