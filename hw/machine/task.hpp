// SPDX-License-Identifier: BSD-3-Clause
// What others know of the processes on a node's processors (hw/machine/cpu.hpp).
#pragma once
#include "base/time.hpp"

#include <cstdint>

namespace hypermon {

/// A task of a node, in the order of their creation.
enum class TaskId : std::uint32_t {};
constexpr std::uint32_t index(TaskId task) { return static_cast<std::uint32_t>(task); }

/// What a processor did with its time, and how often it went on with another task.
struct ProcessorTimes {
  Time working;
  Time kernel;
  Time switching;
  Time idle;
  std::uint64_t switches = 0;
};

} // namespace hypermon
