/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes a growing message round the ring, as often as its argument says, and sums up the ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, sum = 0, rounds = argc > 1 ? atoi(argv[1]) : 3, data[100] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 1; round <= rounds; ++round) {
    if (rank > 0) MPI_Recv(data, 100, MPI_INT, rank - 1, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data, round, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(data, 100, MPI_INT, size - 1, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("sum %d\n", sum);
  MPI_Finalize();
  return 0;
}
