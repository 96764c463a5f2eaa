// SPDX-License-Identifier: BSD-3-Clause
// Workload stream: a file of events (time, node, bytes or datum) instead of a program.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Of the file's column time.
enum class TimeUnit : std::uint8_t { ps, ns, us, ms, s };
constexpr auto words_of(TimeUnit) { return words("ps", "ns", "us", "ms", "s"); }
/// Whether times are the machine's, or count from the first event on.
enum class StreamBegin : std::uint8_t { zero, first };
constexpr auto words_of(StreamBegin) { return words("zero", "first"); }

struct StreamParams {
  std::string file;
  TimeUnit time_unit = TimeUnit::ns;
  std::string columns;
  Bytes bytes = 0;
  StreamBegin begin = StreamBegin::zero;
};

} // namespace hypermon
