/* SPDX-License-Identifier: BSD-3-Clause */
/* A token goes round, growing; then everybody sends to the right at once. */
#include <mpi.h>
#include <stdio.h>

static char data[200000], more[200000];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int bytes = 10; bytes < 200000; bytes *= 27) {
    if (rank != 0) MPI_Recv(data, bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data, bytes, MPI_CHAR, right, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(data, bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data, bytes, MPI_CHAR, right, 1, more, bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %d %a\n", rank, bytes, MPI_Wtime());
  }
  MPI_Finalize();
  return 0;
}
