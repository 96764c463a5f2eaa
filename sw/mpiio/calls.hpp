// SPDX-License-Identifier: BSD-3-Clause
// What MPI's functions on files have in common: each is counted, with what it moved and the time that it took.
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

/// The calling rank's call moves so many bytes.
inline void note_moved(std::int64_t bytes) {
  library().counts().moves(static_cast<std::size_t>(rank_table().self().rank), bytes);
}

/// Gives the table a function: SET(table, open) is MPI_File_open by open().
#define HYPERMON_SET(table, name, function) (table).File_##name = Counted<MpiFunction::File_##name, function>::call

} // namespace hypermon::mpiio
