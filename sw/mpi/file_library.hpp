// SPDX-License-Identifier: BSD-3-Clause
// Who carries the program's MPI_File_* calls, if it is not SMPI (mpiio.file_system; sw/mpiio).
#pragma once
#include "sw/mpi/file_call.hpp"

#include <smpi/smpi.h>

namespace hypermon {

struct MpiTable;
struct RankState;

/// By which pointer an access finds its place.
enum class FilePointer : std::uint8_t { given, own, shared };

class FileLibrary {
public:
  FileLibrary() = default;
  FileLibrary(const FileLibrary&) = delete;
  FileLibrary& operator=(const FileLibrary&) = delete;
  virtual ~FileLibrary() = default;

  /// Puts its functions into `table`, over those that carry messages, which it uses for its own.
  virtual void add_calls(MpiTable& table) = 0;
  /// Which communicator, name, opening and view the handle has; nothing if it is none.
  virtual MPI_Comm describe(MPI_File file, FileCall& call) const = 0;
  /// Where an access of `call.count` elements of `call.memory` begins, and its pieces.
  virtual void describe_access(MPI_File file, FilePointer pointer, FileCall& call) const = 0;
  /// The rank's call has returned: what is known now.
  virtual void returned(const RankState& rank, MPI_File file, FileCall& call) const = 0;
  /// MPI's handler of the file, of MPI_FILE_NULL for what is none: MPI_ERRORS_RETURN until the program sets another.
  virtual MPI_Errhandler handler(MPI_File file) const = 0;
  /// Calls a handler of the program's. Returns the code that the handler leaves.
  virtual int call_handler(MPI_Errhandler handler, MPI_File file, int code) const = 0;
};

/// Null: SMPI carries them. Set before the ranks start.
FileLibrary* file_library();
void set_file_library(FileLibrary* library);

/// The map of a datatype of the program's; null of what is none.
mpiio::LayoutPointer layout_of(MPI_Datatype type);
/// Keys and values of an info object.
std::vector<std::pair<std::string, std::string>> hints_of(MPI_Info info);

} // namespace hypermon
