// SPDX-License-Identifier: BSD-3-Clause
// The program's MPI calls come in here (mpi_interface.cpp defines MPI_X and PMPI_X): observers and the catalogue's MPI
// points are told, then the call goes to NX/2 (mpi_calls.cpp) or to SMPI.
#pragma once
#include "sw/nx2/mpi_observer.hpp"

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
/// SMPI's own, with its mistakes mended (mpi_guards.cpp). Under these names in this executable are our definitions:
/// nothing here may call PMPI_X of a function of mpi_functions.inc directly.
const MpiTable& smpi();

/// The program's calls shall go to what `make` makes, not to NX/2's or SMPI's. Before the ranks start.
void use_mpi(MpiTable (*make)());
/// NX/2's implementations, and SMPI's for what NX/2 does not model.
MpiTable nx2_mpi();
/// SMPI's as they are (machine.messages = smpi), within a measured section.
MpiTable smpi_mpi();

} // namespace hypermon
