/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in a ring exchange edges with both neighbours without blocking, and test while they wait. */
#include <mpi.h>
#include <stdio.h>

static char edges[4][70000];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int bytes = 64; bytes <= 65536; bytes *= 32) {
    for (int i = 0; i < 5; ++i) {
      MPI_Request requests[4];
      MPI_Irecv(edges[0], bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(edges[1], bytes, MPI_CHAR, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[1]);
      MPI_Isend(edges[2], bytes, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[2]);
      MPI_Isend(edges[3], bytes, MPI_CHAR, left, 2, MPI_COMM_WORLD, &requests[3]);
      int done = 0;
      MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
      MPI_Iprobe(left, 99, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
      MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
    printf("%d %d %a\n", rank, bytes, MPI_Wtime());
  }
  MPI_Finalize();
  return 0;
}
