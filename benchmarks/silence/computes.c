/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank computes for so many simulated seconds: only ticks are seen. */
#include <hypermon.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  hypermon_charge(1, 1e9 * atof(argv[1]));
  MPI_Finalize();
  return 0;
}
