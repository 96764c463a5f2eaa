// SPDX-License-Identifier: BSD-3-Clause
// Types for the processes on a node's processors that other parts use (hw/machine/cpu.hpp).
#pragma once
#include "base/time.hpp"

#include <cstdint>

namespace hypermon {

/// A task of a node, numbered in the order of creation.
enum class TaskId : std::uint32_t {};
constexpr std::uint32_t index(TaskId task) { return static_cast<std::uint32_t>(task); }

/// Division of a processor's time, and the number of its changes to another task.
struct ProcessorTimes {
  Time working;
  Time kernel;
  Time switching;
  Time idle;
  std::uint64_t switches = 0;
};

} // namespace hypermon
