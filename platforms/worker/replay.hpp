// SPDX-License-Identifier: BSD-3-Clause
// A replay of a recording in SystemC, for hardware that the Python module cannot simulate. It has no machine and no
// program.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"

#include <istream>
#include <string>

namespace hypermon {

/// Replays the rows in `rows` and returns the complete result. `request` has the members `recorded` (the result of the
/// recorded run), `scenario`, and the times `program_end_ps`, `begin_ps` and `end_ps` of that run. `directory`: for
/// files besides the result. `waves`: a request for waves of the hardware, or null.
///
/// The rows come in batches of columns: the number of rows and of data bytes (u64), then node (u16), first_ps (i64),
/// offsets (i32, one more than rows), data (u8), message (u64) and side (u8), as in a recording.
Json replay(const Spec& spec, const std::string& directory, const Json& request, std::istream& rows,
            const Json& waves = {});

} // namespace hypermon
