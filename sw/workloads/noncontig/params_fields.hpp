// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/noncontig/params.hpp"

namespace hypermon {

constexpr auto fields_of(const NoncontigParams*) {
  using P = NoncontigParams;
  return fields(
      Field{"blocks", &P::blocks, range(1, 1e7), "blocks", "Of each rank in a call.", "chosen"},
      Field{"block_bytes", &P::block_bytes, range(1, 1 << 30), "Of a block.", "chosen"},
      Field{"calls", &P::calls, range(1, 1e6), "",
            "Calls that write, one behind the other in the file; as many read if read_back is.", "chosen"},
      Field{"access", &P::access, "By MPI_File_write of each rank, by MPI_File_write_all, or none at all.", "chosen"},
      Field{"read_back", &P::read_back, any_value(), "",
            "Fill the blocks, read them again in the end and compare. Otherwise buffers are never touched; with "
            "mpiio.contents = sizes nothing else makes sense.",
            "chosen"},
      Field{"hints", &P::hints, any_value(), "", "Of the file, as NAME=VALUE, several with blanks between them.",
            "chosen: none"});
}
static_assert(all_members_described<NoncontigParams>());

} // namespace hypermon
