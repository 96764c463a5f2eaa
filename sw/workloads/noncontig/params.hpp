// SPDX-License-Identifier: BSD-3-Clause
// Parameters of blocks of a file that alternate between ranks.
#pragma once
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

} // namespace hypermon
