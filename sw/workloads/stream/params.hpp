// SPDX-License-Identifier: BSD-3-Clause
// Workload stream: a file of events (time, node, bytes or datum) instead of a program.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

constexpr auto fields_of(const StreamParams*) {
  using P = StreamParams;
  constexpr auto chosen = "chosen";
  return fields(
      Field{"file", &P::file, hypermon::file(), "", "Events: .csv with a header, .parquet or .npy, by time.", chosen},
      Field{"time_unit", &P::time_unit, "Of the column time.", chosen},
      Field{"columns", &P::columns, any_value(), "",
            "What the file calls the columns time, node, datum, bytes or size: \"time=t,node=cpu\".", chosen},
      Field{"bytes", &P::bytes, range(0, 4096),
            "Of every event, if the file has no column for that; 0: the file has one. What they hold is made up.",
            chosen},
      Field{"begin", &P::begin, "zero: times are the machine's; first: they count from the first event on.", chosen});
}
static_assert(all_members_described<StreamParams>());

} // namespace hypermon
