// SPDX-License-Identifier: BSD-3-Clause
// What becomes of an MPI call that failed: the handler of what it concerns is called, or the run ends, or the program
// gets the code (docs/design/mpi.md, Errors).
#pragma once
#include "sw/os/ranks.hpp"

#include <smpi/smpi.h>

#include <type_traits>

namespace hypermon {

struct MpiTable;

/// What a call concerns: the first communicator, window or file among its arguments; none: MPI_COMM_WORLD, of
/// MPI_File_* MPI_FILE_NULL.
struct Concerned {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Win win = MPI_WIN_NULL;
  MPI_File file = MPI_FILE_NULL;
};
inline Concerned concerned() { return {}; }
template <class First, class... Rest> Concerned concerned(First first, Rest... rest) {
  if constexpr (std::is_same_v<First, MPI_Comm>)
    return {first, MPI_WIN_NULL, MPI_FILE_NULL};
  else if constexpr (std::is_same_v<First, MPI_Win>)
    return {MPI_COMM_NULL, first, MPI_FILE_NULL};
  else if constexpr (std::is_same_v<First, MPI_File>)
    return {MPI_COMM_NULL, MPI_WIN_NULL, first};
  else if constexpr (std::is_same_v<First, MPI_File*>)
    return {MPI_COMM_NULL, MPI_WIN_NULL, first == nullptr ? MPI_FILE_NULL : *first};
  else if constexpr (std::is_same_v<First, MPI_Comm*>)
    return {first == nullptr ? MPI_COMM_NULL : *first, MPI_WIN_NULL, MPI_FILE_NULL};
  else if constexpr (std::is_same_v<First, MPI_Win*>)
    return {MPI_COMM_NULL, first == nullptr ? MPI_WIN_NULL : *first, MPI_FILE_NULL};
  else
    return concerned(rest...);
}

inline bool is_error(int returned) { return returned != MPI_SUCCESS; }
inline bool is_error(double) { return false; }

/// The call of `rank` that it is in (RankState::in_mpi) returned `code`. What the program gets, if it goes on.
int raise_error(RankState& rank, int code, Concerned object);

/// What SMPI's function that completes requests shall have returned: `code`, if it says nothing of a truncated message.
int noticed(int returned, int code);
/// More came for a receive of the communicator than there is room for, as the call that it is in will return.
void note_truncated(const RankState& rank, MPI_Comm programs_comm);
/// MPI_Init has returned: SMPI 3.32 forgets those of MPI_COMM_WORLD of all ranks once one sets its own.
void set_first_handlers();
/// A call has made `*made`: it inherits its parent's handler, which SMPI sees to for duplicates alone.
int inherit_handler(int status, MPI_Comm parent, const MPI_Comm* made);
/// Arguments that SMPI's own functions crash on are refused, errors that they lose are returned.
void add_guards(MpiTable& table);
/// Puts functions into `table` that end the run where SMPI's give wrong results, and go on to those in it elsewhere.
void add_refusals(MpiTable& table);

/// While it lives, what SMPI says of arguments is not kept: they are only asked about.
class AskingSmpi {
public:
  AskingSmpi() { asking = true; }
  ~AskingSmpi() { asking = false; }
  AskingSmpi(const AskingSmpi&) = delete;
  AskingSmpi& operator=(const AskingSmpi&) = delete;

  static inline bool asking = false;
};

} // namespace hypermon
