/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of ranks that compute and pass on what they have, for docs/how-to/own-trace.md. */
#include <mpi.h>
#include <smpi/smpi.h>

enum { rounds = 10, numbers = 1000 };

int main(int argc, char** argv) {
  static double mine[numbers], theirs[numbers];
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2];
    MPI_Irecv(theirs, numbers, MPI_DOUBLE, (rank + ranks - 1) % ranks, round, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(mine, numbers, MPI_DOUBLE, (rank + 1) % ranks, round, MPI_COMM_WORLD, &requests[1]);
    smpi_execute_flops(1e6 * (rank + 1));
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(theirs, mine, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
