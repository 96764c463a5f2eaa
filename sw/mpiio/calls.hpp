// SPDX-License-Identifier: BSD-3-Clause
// Common part of MPI's functions on files: each call is counted, with its bytes and its time.
#pragma once
#include "sw/mpiio/library.hpp"

namespace hypermon::mpiio {

template <MpiFunction which, auto function> struct Counted;
template <MpiFunction which, class... Arguments, int (*function)(Arguments...)> struct Counted<which, function> {
  static int call(Arguments... arguments) {
    const auto rank = static_cast<std::size_t>(rank_table().self().rank);
    const Time begin = simgrid_now();
    const int code = function(arguments...);
    library().counts().call(which, library().counts().moved(rank), simgrid_now() - begin);
    return code;
  }
};

/// Records that the calling rank's call moves `bytes` bytes.
inline void note_moved(std::int64_t bytes) {
  library().counts().moves(static_cast<std::size_t>(rank_table().self().rank), bytes);
}

/// Adds a function to the table: SET(table, open) implements MPI_File_open with open().
#define HYPERMON_SET(table, name, function) (table).File_##name = Counted<MpiFunction::File_##name, function>::call

/// Calls an error handler of the program, which may be a Fortran routine. It may change the code.
void call_file_handler(MPI_File_errhandler_function* handler, MPI_File file, int& code);

} // namespace hypermon::mpiio
