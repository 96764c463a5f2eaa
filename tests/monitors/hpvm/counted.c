/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank r sends r + 1 messages of 100 (r + 1) bytes to its right neighbour, which waits before it receives, and the
 * ranks then compute for a second. */
#include <hypermon.h>
#include <mpi.h>

int main(int argc, char** argv) {
  static char out[10000], in[10000];
  int rank, ranks, left, n;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left = (rank + ranks - 1) % ranks;
  for (n = 0; n <= rank; ++n) MPI_Send(out, 100 * (rank + 1), MPI_CHAR, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
  hypermon_charge(1, 1e9);
  for (n = 0; n <= left; ++n) MPI_Recv(in, sizeof in, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  hypermon_charge(1, 1e9);
  MPI_Finalize();
  return 0;
}
