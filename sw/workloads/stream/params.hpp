// SPDX-License-Identifier: BSD-3-Clause
// Workload stream: a file of events (time, node, bytes or datum) instead of a program.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Unit of the file's time column.
enum class TimeUnit : std::uint8_t { ps, ns, us, ms, s };
constexpr auto words_of(TimeUnit) { return words("ps", "ns", "us", "ms", "s"); }
/// Whether times are the machine's, or are counted from the first event.
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
      Field{"file", &P::file, hypermon::file(), "",
            "File of events in order of time: .csv with a header, .parquet or .npy.", chosen},
      Field{"time_unit", &P::time_unit, "Unit of the column time in stream.file.", chosen},
      Field{"columns", &P::columns, any_value(), "",
            "Names of the file's columns where they differ from time, node, datum, bytes or size: \"time=t,node=cpu\".",
            chosen},
      Field{"bytes", &P::bytes, range(0, 4096),
            "Size of every event if stream.file has no column of sizes; the contents are made up. 0: the file has such "
            "a column.",
            chosen},
      Field{"begin", &P::begin,
            "Reference of the times in stream.file. zero: the machine's time 0. first: the time of the first event.",
            chosen});
}
static_assert(all_members_described<StreamParams>());

} // namespace hypermon
