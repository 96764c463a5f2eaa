// SPDX-License-Identifier: BSD-3-Clause
// Handles an MPI call that failed: calls the error handler of the object that the call concerns, ends the run, or
// returns the code to the program (docs/design/mpi.md, Errors).
#pragma once
#include "sw/os/ranks.hpp"

#include <smpi/smpi.h>

#include <type_traits>

namespace hypermon {

struct MpiTable;

/// The object that a call concerns: the first communicator, window or file among its arguments. Without one it is
/// MPI_COMM_WORLD, and MPI_FILE_NULL for MPI_File_*.
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

/// The rank's current call (RankState::call) returned `code`. Returns the code for the program if the run goes on.
int raise_error(RankState& rank, int code, Concerned object);

/// Corrects the result of an SMPI function that completes requests: returns `code` if SMPI did not report a truncated
/// message.
int noticed(int returned, int code);
/// Notes that a message was too long for a receive in the communicator. The rank's current call will return that error.
void note_truncated(const RankState& rank, MPI_Comm programs_comm);
/// Call after MPI_Init. SMPI 3.32 forgets the handlers of all ranks for MPI_COMM_WORLD once one rank sets its own.
void set_first_handlers();
/// A call has made `*made`, which inherits its parent's handler. SMPI does so only for duplicates.
int inherit_handler(int status, MPI_Comm parent, const MPI_Comm* made);
/// Refuses arguments that crash SMPI's own functions, and returns errors that SMPI loses.
void add_guards(MpiTable& table);
/// Puts functions into `table` that end the run for calls that SMPI carries out wrongly, and otherwise call the
/// functions that were in `table`.
void add_refusals(MpiTable& table);

/// During the lifetime of this object, SMPI's messages about arguments are not kept: the arguments are only being
/// checked.
class AskingSmpi {
public:
  AskingSmpi() { asking = true; }
  ~AskingSmpi() { asking = false; }
  AskingSmpi(const AskingSmpi&) = delete;
  AskingSmpi& operator=(const AskingSmpi&) = delete;

  static inline bool asking = false;
};

} // namespace hypermon
