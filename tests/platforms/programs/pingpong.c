/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of several sizes between rank 0 and the last rank, one at a time; ANY_SOURCE every other time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static const int sizes[] = {0, 1, 100, 1023, 1024, 8192, 65535, 65536, 1000000};
  char* data = malloc(1000000);
  const int last = size - 1;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const int any = i % 2 ? MPI_ANY_SOURCE : last - rank;
    if (rank == 0) {
      MPI_Send(data, sizes[i], MPI_CHAR, last, 1, MPI_COMM_WORLD);
      MPI_Recv(data, sizes[i], MPI_CHAR, any, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == last) {
      MPI_Recv(data, sizes[i], MPI_CHAR, any, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data, sizes[i], MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    }
    printf("%d %d %a\n", rank, sizes[i], MPI_Wtime());
  }
  free(data);
  MPI_Finalize();
  return 0;
}
