// SPDX-License-Identifier: BSD-3-Clause
// What an observer of MPI calls is told of a call of MPI_File_*: MpiCall::file().
#pragma once
#include "sw/mpiio/core/layout.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

/// One call. Of a file system that is not ours (mpiio.file_system = smpi) the arguments alone are known.
struct FileCall {
  enum class Access : std::uint8_t { none, read, write };

  std::string file; ///< its name, as the program gave it to MPI_File_open
  /// The opening's number, from 1 on: the same on all ranks that take part. Of MPI_File_open: known when it returns. 0:
  /// none.
  std::uint32_t handle = 0;
  int amode = 0; ///< MPI_MODE_*

  // As the program gave them; 0 or none where the function has no such argument.
  std::optional<std::int64_t> argument; ///< an offset in etypes; a size; of MPI_File_set_view the displacement
  int whence = 0;                       ///< MPI_SEEK_*
  int count = 0;
  std::vector<std::pair<std::string, std::string>> hints; ///< of the MPI_Info object, in its order

  // Of an access: what it is to read or write.
  Access access = Access::none;
  std::optional<std::int64_t> offset; ///< absolute, of its first byte; none: not known (a shared pointer's at entry)
  std::int64_t bytes = 0;
  std::int64_t memory_pieces = 0;
  std::int64_t file_pieces = 0;
  mpiio::LayoutPointer memory; ///< of one element; null: no access
  // Of an access the view's, of MPI_File_set_view the new ones; null where there is none.
  mpiio::LayoutPointer etype;
  mpiio::LayoutPointer filetype;
  std::int64_t displacement = 0;

  /// When it has returned, of an access that is complete then: what it has read or written.
  std::int64_t done = 0;
  /// When it has returned: hints that were not taken, "key = value: why".
  std::vector<std::string> ignored_hints;
};

} // namespace hypermon
