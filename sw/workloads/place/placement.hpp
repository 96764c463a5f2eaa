// SPDX-License-Identifier: BSD-3-Clause
// Place's circuit: cells on a grid of slots, nets between them, and the wire length of a placement.
#pragma once
#include "sw/workloads/common/random.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace hypermon::workloads {

/// Cells by net and nets by cell.
struct Netlist {
  std::vector<std::vector<std::int32_t>> cells_of_net;
  std::vector<std::vector<std::int32_t>> nets_of_cell;
};

/// Each net has 2 to 6 different cells, all within 16 of a random first one (in the circle of cell numbers). Cells with
/// near numbers belong together, so that a good placement exists.
inline Netlist random_netlist(std::int64_t cells, std::int64_t nets, std::uint64_t seed) {
  SplitMix64 random(seed);
  Netlist netlist;
  netlist.nets_of_cell.resize(static_cast<std::size_t>(cells));
  for (std::int64_t net = 0; net < nets; ++net) {
    const auto pins = std::min(2 + random.below(5), cells);
    const auto first = random.below(cells);
    std::vector<std::int32_t> members{static_cast<std::int32_t>(first)};
    while (static_cast<std::int64_t>(members.size()) < pins) {
      const auto cell = static_cast<std::int32_t>((first + random.below(33) - 16 + 16 * cells) % cells);
      if (std::find(members.begin(), members.end(), cell) == members.end()) members.push_back(cell);
    }
    for (const auto cell : members)
      netlist.nets_of_cell[static_cast<std::size_t>(cell)].push_back(static_cast<std::int32_t>(net));
    netlist.cells_of_net.push_back(std::move(members));
  }
  return netlist;
}

class Placement {
public:
  /// The effect of an exchange, and the work of computing it.
  struct Change {
    std::int64_t cost;
    std::int64_t pins;
  };

  /// Places the cells in random slots.
  Placement(Netlist netlist, std::int64_t columns, std::uint64_t seed)
      : netlist_(std::move(netlist)), columns_(static_cast<std::int32_t>(columns)),
        slots_(netlist_.nets_of_cell.size()) {
    std::iota(slots_.begin(), slots_.end(), 0);
    SplitMix64 random(seed);
    for (std::size_t i = slots_.size(); i > 1; --i)
      std::swap(slots_[i - 1], slots_[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  }

  /// Slot (row * columns + column) of each cell.
  const std::vector<std::int32_t>& slots() const { return slots_; }
  void exchange(std::int32_t a, std::int32_t b) {
    std::swap(slots_[static_cast<std::size_t>(a)], slots_[static_cast<std::size_t>(b)]);
  }

  /// Sum over all nets of half the perimeter of the bounding box.
  std::int64_t cost() const {
    std::int64_t sum = 0;
    for (std::size_t net = 0; net < netlist_.cells_of_net.size(); ++net) sum += length(net);
    return sum;
  }

  /// Computes the effect of an exchange. The placement does not change.
  Change try_exchange(std::int32_t a, std::int32_t b) {
    const Change before = nets_of(a, b);
    exchange(a, b);
    const Change after = nets_of(a, b);
    exchange(a, b);
    return {after.cost - before.cost, after.pins + before.pins};
  }

private:
  /// A net of both cells counts twice, both before and after the exchange.
  Change nets_of(std::int32_t a, std::int32_t b) const {
    Change sum{0, 0};
    for (const auto cell : {a, b})
      for (const auto net : netlist_.nets_of_cell[static_cast<std::size_t>(cell)]) {
        sum.cost += length(static_cast<std::size_t>(net));
        sum.pins += static_cast<std::int64_t>(netlist_.cells_of_net[static_cast<std::size_t>(net)].size());
      }
    return sum;
  }

  std::int64_t length(std::size_t net) const {
    std::int32_t left = columns_;
    std::int32_t right = 0;
    std::int32_t top = static_cast<std::int32_t>(slots_.size());
    std::int32_t bottom = 0;
    for (const auto cell : netlist_.cells_of_net[net]) {
      const std::int32_t slot = slots_[static_cast<std::size_t>(cell)];
      const std::int32_t x = slot % columns_;
      const std::int32_t y = slot / columns_;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
    return right - left + bottom - top;
  }

  Netlist netlist_;
  std::int32_t columns_;
  std::vector<std::int32_t> slots_;
};

} // namespace hypermon::workloads
