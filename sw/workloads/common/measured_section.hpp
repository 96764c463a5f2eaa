// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends the measured section. Without these calls it extends from MPI_Init to MPI_Finalize.
#pragma once
#include <hypermon.h>
#include <mpi.h>

namespace hypermon::workloads {

/// SMPI alone aborts in MPI_Pcontrol ("not yet implemented"). Under hypermon it controls the measured section.
inline void measure(bool on) {
  if (hypermon_compute) MPI_Pcontrol(on);
}

} // namespace hypermon::workloads
