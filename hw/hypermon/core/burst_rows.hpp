// SPDX-License-Identifier: BSD-3-Clause
// Recorded bursts as columns, and the part of them that reaches one board.
#pragma once
#include "hw/hypermon/core/burst.hpp"
#include <cstdint>
#include <span>

namespace hypermon {

/// Bursts of all nodes, in the order of their first strobes at the nodes' ports; those of a node do not overlap.
struct BurstRows {
  std::span<const std::uint16_t> node;
  std::span<const std::int64_t> first_ps;
  std::span<const std::int64_t> spacing_ps;
  std::span<const std::int32_t> offsets; ///< one more than rows: burst i is data[offsets[i]] to data[offsets[i + 1]]
  std::span<const std::uint8_t> data;    ///< as in Burst

  std::size_t size() const { return node.size(); }
};

/// The nodes [first_node, first_node + inputs) of a board, and the delay from their ports to the board.
struct BoardLines {
  std::uint32_t first_node = 0;
  std::uint32_t inputs;
  Time propagation; ///< erb.propagation_ns
  auto operator<=>(const BoardLines&) const = default;

  /// Calls f(burst) for each of these nodes' bursts, in order; times are at the board.
  template <class F> void each_burst(const BurstRows& rows, F&& f) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t input = rows.node[i] - first_node;
      if (input >= inputs) continue;
      const auto begin = static_cast<std::size_t>(rows.offsets[i]);
      const auto end = static_cast<std::size_t>(rows.offsets[i + 1]);
      f(Burst{input, Time::from_ps(rows.first_ps[i]) + propagation, Time::from_ps(rows.spacing_ps[i]),
              rows.data.subspan(begin, end - begin)});
    }
  }
};

/// Checks batches of rows, one after the other.
class RowsInOrder {
public:
  /// Throws std::invalid_argument if columns differ in length, if offsets decrease or exceed the data, or if times are
  /// negative, out of order or too late to be counted.
  void check(const BurstRows& rows);

private:
  std::int64_t last_first_ = 0;
};

} // namespace hypermon
