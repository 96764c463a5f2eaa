/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank gets of its node's processors.
 *   compute MS...     rank r computes for MS[r] ms
 *   exchange N MS     ranks 0 and 1 exchange N messages to and fro, and compute for MS ms before each of their sends
 *   sleep MS OTHERS   rank 0 computes for MS ms, the others sleep for OTHERS ms
 * Each rank prints its number and the date at its end. */
#include <hypermon.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void work(const char* ms) { hypermon_charge(1, atof(ms) * 1e6); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(argv[1], "compute") == 0) {
    work(argv[2 + rank]);
  } else if (strcmp(argv[1], "exchange") == 0 && rank < 2) {
    char byte = 0;
    for (int i = 0; i < atoi(argv[2]); ++i) {
      if (rank == 1) MPI_Recv(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      work(argv[3]);
      MPI_Send(&byte, 1, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
      if (rank == 0) MPI_Recv(&byte, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  } else if (strcmp(argv[1], "sleep") == 0) {
    if (rank == 0)
      work(argv[2]);
    else
      usleep((useconds_t)(atof(argv[3]) * 1e3));
  }
  printf("%d %.9f\n", rank, MPI_Wtime());
  MPI_Finalize();
  return 0;
}
