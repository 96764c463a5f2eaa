/* SPDX-License-Identifier: BSD-3-Clause */
/* Global operations, on all ranks and on every other one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int count = 1; count < 5000; count *= 17) {
    double* in = calloc((size_t)(count * size), sizeof *in);
    double* out = calloc((size_t)(count * size), sizeof *out);
    in[0] = rank;
    MPI_Alltoall(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double sum = out[0];
    MPI_Bcast(out, count, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_MAX, 0, half);
    MPI_Barrier(half);
    MPI_Gather(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%d %d %g %a\n", rank, count, sum, MPI_Wtime());
    free(in);
    free(out);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
