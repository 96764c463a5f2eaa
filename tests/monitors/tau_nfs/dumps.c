/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank r computes and dumps. Arguments: dumps, microseconds between two, and whether all wait for each other then. */
#include <hypermon.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int i;
  int dumps = argc > 1 ? atoi(argv[1]) : 3;
  double us = argc > 2 ? atof(argv[2]) : 1000.0;
  int together = argc > 3 ? atoi(argv[3]) : 0;
  MPI_Init(&argc, &argv);
  for (i = 0; i < dumps; ++i) {
    hypermon_charge(us, 1000.0);
    if (together) MPI_Barrier(MPI_COMM_WORLD);
    hypermon_profile_dump();
  }
  MPI_Finalize();
  return 0;
}
