// SPDX-License-Identifier: BSD-3-Clause
// What a counter of the simulated system is. The part that keeps it declares it, once (Part::counters); who wants to
// read it asks the run's Counters (counters.hpp).
#pragma once
#include <cstdint>
#include <string_view>

namespace hypermon {

/// How the numbers that a counter shows are to be read. All of them are integers; those of times, picoseconds.
enum class CounterKind : std::uint8_t {
  raw,          ///< as it is
  rate,         ///< grows: its growth by time is what one wants to see
  timer,        ///< time, grows
  percentage,   ///< time, grows no faster than time itself: its growth by time is a share
  distribution, ///< grows: as often as an item was met
  length        ///< of what there is now: a queue, a buffer
};

/// What a node has one or several of, each with a counter of its own.
enum class CounterOf : std::uint8_t { node, processor, process, interface };
/// What each of these counts apart.
enum class CounterBy : std::uint8_t { whole, mpi_function, size_class, user, routine, process };

struct CounterInfo {
  std::string_view name;
  std::string_view unit;
  CounterKind kind;
  CounterOf of;
  CounterBy by;
  std::string_view description;
  std::string_view source; ///< where the simulated system keeps it
};

/// Which of a node's counters of that kind.
struct CounterInstance {
  std::uint32_t part = 0; ///< its process, processor or interface, among the node's own; of a node: 0
  std::uint32_t item = 0; ///< of what is counted apart; of a whole: 0
  auto operator<=>(const CounterInstance&) const = default;
};

/// Among all that are declared.
enum class CounterId : std::uint32_t {};

} // namespace hypermon
