// SPDX-License-Identifier: BSD-3-Clause
// Data of an MPI_File_* call for observers of MPI calls: MpiCall::file().
#pragma once
#include "sw/mpiio/core/layout.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

/// One call. Only its arguments are known if SMPI carries the files (mpiio.file_system = smpi).
struct FileCall {
  enum class Access : std::uint8_t { none, read, write };

  std::string file; ///< name that the program gave to MPI_File_open
  /// Number of the opening, from 1 on, the same on all ranks that take part. For MPI_File_open it is known at the exit.
  /// 0: no file.
  std::uint32_t handle = 0;
  int amode = 0; ///< MPI_MODE_*

  // Arguments, as the program gave them; 0 or none if the function has no such argument.
  std::optional<std::int64_t> argument; ///< an offset in etypes, a size, or the displacement of MPI_File_set_view
  int whence = 0;                       ///< MPI_SEEK_*
  int count = 0;
  std::vector<std::pair<std::string, std::string>> hints; ///< in the order of the MPI_Info object

  // The following describe the data of an access.
  Access access = Access::none;
  std::optional<std::int64_t> offset; ///< absolute, first byte; none: unknown (a shared pointer at the entry)
  std::int64_t bytes = 0;
  std::int64_t memory_pieces = 0;
  std::int64_t file_pieces = 0;
  mpiio::LayoutPointer memory; ///< layout of one element in memory; null if the call is not an access
  // The current view of an access, or the new view of MPI_File_set_view; null if there is none.
  mpiio::LayoutPointer etype;
  mpiio::LayoutPointer filetype;
  std::int64_t displacement = 0;

  /// Bytes that the access has read or written; known at the exit of a call that completes the access.
  std::int64_t done = 0;
  /// Hints that were not accepted, as "key = value: reason"; known at the exit.
  std::vector<std::string> ignored_hints;
};

} // namespace hypermon
