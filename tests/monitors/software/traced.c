/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank r brackets, computes and sends round a ring. Arguments: rounds, routines a round, microseconds in each, bytes of
 * a message (0: none), and whether all wait for each other after a round. */
#include <hypermon.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int i, j, rank, ranks;
  static char out[1 << 20], in[1 << 20];
  int rounds = atoi(argv[1]);
  int routines = atoi(argv[2]);
  double us = atof(argv[3]);
  int bytes = atoi(argv[4]);
  int together = atoi(argv[5]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (i = 0; i < rounds; ++i) {
    for (j = 0; j < routines; ++j) {
      hypermon_timer_start("routine");
      hypermon_charge(us, 1000.0);
      hypermon_timer_stop("routine");
    }
    if (bytes > 0)
      MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % ranks, i, in, bytes, MPI_CHAR, (rank + ranks - 1) % ranks, i,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (together) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
