// SPDX-License-Identifier: BSD-3-Clause
// What the rest of MPI-IO needs to know of programs in Fortran.
#pragma once
#include <smpi/smpi.h>

namespace hypermon::mpiio {

/// Calls an error handler of the program's, which Fortran may have made: it may change the code.
void call_file_handler(MPI_File_errhandler_function* handler, MPI_File file, int& code);

} // namespace hypermon::mpiio
