// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/stream/params.hpp"

namespace hypermon {

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
