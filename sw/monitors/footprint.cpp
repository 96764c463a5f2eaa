// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/footprint.hpp"
#include "sw/monitors/site_keys.hpp"

#include <algorithm>

namespace hypermon {
namespace {

/// Total and maximum over the places of one kind.
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

void Footprint::report(Results& results) const {
  const auto add = [&](const FootprintKeys& keys, bool nodes) {
    const Sum<Time> cpu = sum(cpu_, nodes);
    const Sum<std::int64_t> memory = sum(memory_, nodes);
    results.set({keys.cpu_s(cpu.all), keys.busiest_cpu_s(cpu.most), keys.memory_bytes(memory.all),
                 keys.fullest_memory_bytes(memory.most)});
  };
  add(site_keys.footprint.nodes, true);
  add(site_keys.footprint.others, false);
  results.set(site_keys.footprint.stored_bytes, stored_);
}

} // namespace hypermon
