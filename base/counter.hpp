// SPDX-License-Identifier: BSD-3-Clause
// Description of a counter of the simulated system. The part that keeps a counter declares it once (Part::counters); a
// monitor reads it through the run's Counters (counters.hpp).
#pragma once
#include <cstdint>
#include <string_view>

namespace hypermon {

/// Interpretation of a counter's numbers. All of them are integers; times are in picoseconds.
enum class CounterKind : std::uint8_t {
  raw,          ///< a value that needs no interpretation
  rate,         ///< grows; its growth per time is meaningful
  timer,        ///< a growing time
  percentage,   ///< a time that grows no faster than time itself; its growth per time is a share
  distribution, ///< grows; counts how often an item occurred
  length        ///< current length of a queue or a buffer
};

/// Component of a node that has a counter of its own.
enum class CounterOf : std::uint8_t { node, processor, process, interface };
/// The way in which a counter divides its count into items.
enum class CounterBy : std::uint8_t { whole, mpi_function, size_class, user, routine, process };

struct CounterInfo {
  std::string_view name;
  std::string_view unit;
  CounterKind kind;
  CounterOf owner;
  CounterBy by;
  std::string_view description;
  std::string_view source; ///< place where the simulated system keeps it
};

/// Selects one of a node's counters of the same kind.
struct CounterInstance {
  std::uint32_t part = 0; ///< number of the process, processor or interface within its node; of a node: 0
  std::uint32_t item = 0; ///< number of the item (CounterBy); 0 for a whole
  auto operator<=>(const CounterInstance&) const = default;
};

/// Number of a counter among all declared ones.
enum class CounterId : std::uint32_t {};

} // namespace hypermon
