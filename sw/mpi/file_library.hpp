// SPDX-License-Identifier: BSD-3-Clause
// Interface of a library that carries out the program's MPI_File_* calls instead of SMPI (mpiio.file_system; sw/mpiio).
#pragma once
#include "sw/mpi/file_call.hpp"

#include <smpi/smpi.h>

namespace hypermon {

struct MpiTable;
struct RankState;

/// The pointer that gives the position of an access.
enum class FilePointer : std::uint8_t { given, own, shared };

class FileLibrary {
public:
  FileLibrary() = default;
  FileLibrary(const FileLibrary&) = delete;
  FileLibrary& operator=(const FileLibrary&) = delete;
  virtual ~FileLibrary() = default;

  /// Puts its functions into `table`, over functions that carry messages. It uses the latter for its own messages.
  virtual void add_calls(MpiTable& table) = 0;
  /// Fills in name, opening and view of the handle, and returns its communicator. Does nothing if the handle is not a
  /// file.
  virtual MPI_Comm describe(MPI_File file, FileCall& call) const = 0;
  /// Fills in the first byte and the pieces of an access of `call.count` elements of `call.memory`.
  virtual void describe_access(MPI_File file, FilePointer pointer, FileCall& call) const = 0;
  /// The rank's call has returned: fills in what is known at the exit.
  virtual void returned(const RankState& rank, MPI_File file, FileCall& call) const = 0;
  /// Error handler of the file, or of MPI_FILE_NULL for an invalid handle: MPI_ERRORS_RETURN until the program sets
  /// another.
  virtual MPI_Errhandler handler(MPI_File file) const = 0;
  /// Calls an error handler of the program. Returns the code that the handler leaves.
  virtual int call_handler(MPI_Errhandler handler, MPI_File file, int code) const = 0;
};

/// Null: SMPI carries out the calls. Set before the ranks start.
FileLibrary* file_library();
void set_file_library(FileLibrary* library);

/// Map of a datatype of the program; null for an invalid one.
mpiio::LayoutPointer layout_of(MPI_Datatype type);
/// Keys and values of an info object.
std::vector<std::pair<std::string, std::string>> hints_of(MPI_Info info);

} // namespace hypermon
