// SPDX-License-Identifier: BSD-3-Clause
// Parameters of blocks of a file that alternate between ranks.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "sw/workloads/common/file_access.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Block k of rank r is the file's block k * ranks + r (noncontig.cpp).
struct NoncontigParams {
  std::int64_t blocks = 64;
  Bytes block_bytes = 16384;
  std::int64_t calls = 1;
  FileAccess access = FileAccess::collective;
  bool read_back = true;
  std::string hints;
};

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
