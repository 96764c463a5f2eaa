// SPDX-License-Identifier: BSD-3-Clause
// Interface of the Fortran functions to the rest of MPI-IO.
#pragma once
#include <smpi/smpi.h>

namespace hypermon::mpiio {

/// Calls an error handler of the program, which may be a Fortran routine. It may change the code.
void call_file_handler(MPI_File_errhandler_function* handler, MPI_File file, int& code);

} // namespace hypermon::mpiio
