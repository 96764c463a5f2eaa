// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends the measured section, which reaches from MPI_Init to MPI_Finalize if a program says nothing.
#pragma once
#include <hypermon.h>
#include <mpi.h>

namespace hypermon::workloads {

/// SMPI alone aborts in MPI_Pcontrol ("not yet implemented"); under hypermon it is a hook.
inline void measure(bool on) {
  if (hypermon_compute) MPI_Pcontrol(on);
}

} // namespace hypermon::workloads
