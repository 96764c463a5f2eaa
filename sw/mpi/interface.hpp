// SPDX-License-Identifier: BSD-3-Clause
// The program's MPI calls come in here (interface.cpp defines MPI_X and PMPI_X): observers and the catalogue's MPI
// points are told, then the call goes to a library of ours (use_mpi) or to SMPI.
#pragma once
#include "sw/mpi/observer.hpp"

namespace hypermon {

/// One implementation of the functions of mpi_functions.inc.
struct MpiTable {
#define MEMBER(result, name, ...) decltype(&::PMPI_##name) name;
#define F(...) MEMBER(__VA_ARGS__)
#include "sw/instrumentation/mpi_functions.inc"
#undef F
#undef MEMBER
};

/// SMPI's own, as they are.
const MpiTable& smpi_itself();
/// SMPI's own, with its mistakes mended (guards.cpp). Under these names in this executable are our definitions:
/// nothing here may call PMPI_X of a function of mpi_functions.inc directly.
const MpiTable& smpi();

/// The program's calls shall go to what `make` makes, not to SMPI's. Before the ranks start.
void use_mpi(MpiTable (*make)());
/// SMPI's as they are (machine.messages = smpi), within a measured section.
MpiTable smpi_mpi();
/// Puts the functions that begin and end MPI into `table`.
void add_session_calls(MpiTable& table);

} // namespace hypermon
