// SPDX-License-Identifier: BSD-3-Clause
// Entry of the program's MPI calls (interface.cpp defines MPI_X and PMPI_X). Observers and the catalogue's MPI points
// are told, then the call goes to one of hypermon's libraries (use_mpi) or to SMPI.
#pragma once
#include "sw/mpi/observer.hpp"

namespace hypermon {

/// One implementation of the functions in mpi_functions.inc.
struct MpiTable {
#define MEMBER(result, name, ...) decltype(&::PMPI_##name) name;
#define F(...) MEMBER(__VA_ARGS__)
#include "sw/instrumentation/mpi_functions.inc"
#undef F
#undef MEMBER
};

/// SMPI's functions, unchanged.
const MpiTable& smpi_itself();
/// SMPI's functions with corrections (guards.cpp). This executable defines the names PMPI_X of mpi_functions.inc
/// itself, so no code here may call them directly.
const MpiTable& smpi();

/// The program's calls go to the table that `make` returns, instead of SMPI. Call before the ranks start.
void use_mpi(MpiTable (*make)());
/// SMPI's functions for machine.messages = smpi, within a measured section.
MpiTable smpi_mpi();
/// Puts the functions that begin and end MPI into `table`.
void add_session_calls(MpiTable& table);

} // namespace hypermon
