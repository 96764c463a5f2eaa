// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a file whose blocks alternate between ranks.
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
      Field{"blocks", &P::blocks, range(1, 1e7), "blocks", "Number of blocks of each rank in one call.", "chosen"},
      Field{"block_bytes", &P::block_bytes, range(1, 1 << 30), "Size of each of a rank's blocks in the file.",
            "chosen"},
      Field{
          "calls", &P::calls, range(1, 1e6), "",
          "Number of write calls, one after the other in the file. With noncontig.read_back as many read calls follow.",
          "chosen"},
      Field{"access", &P::access,
            "Calls that access the file. none: no access. independent: MPI_File_write of each rank. collective: "
            "MPI_File_write_all.",
            "chosen"},
      Field{"read_back", &P::read_back, any_value(), "",
            "Fill the blocks, read them back at the end and compare. Otherwise the program never touches its buffers, "
            "as mpiio.contents = sizes requires.",
            "chosen"},
      Field{"hints", &P::hints, any_value(), "", "Hints for the file as NAME=VALUE, separated by blanks.",
            "chosen: none"});
}
static_assert(all_members_described<NoncontigParams>());

} // namespace hypermon
