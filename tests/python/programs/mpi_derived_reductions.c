/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduces pairs, by the function that the argument names. The last rank writes what it finds: the sums over all ranks,
   or over those below. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < 2 * *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  int rank, size, in[16], out[16] = {0}, counts[8];
  MPI_Datatype pair;
  MPI_Op op;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* how = argc > 1 ? argv[1] : "";
  const int root = size - 1;
  for (int i = 0; i < 16; ++i) in[i] = rank + 1;
  for (int i = 0; i < 8; ++i) counts[i] = 1;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(add, 1, &op);
  if (strcmp(how, "MPI_Reduce") == 0) MPI_Reduce(in, out, 2, pair, op, root, MPI_COMM_WORLD);
  if (strcmp(how, "MPI_Ireduce") == 0) MPI_Ireduce(in, out, 2, pair, op, root, MPI_COMM_WORLD, &request);
  if (strcmp(how, "MPI_Iallreduce") == 0) MPI_Iallreduce(in, out, 2, pair, op, MPI_COMM_WORLD, &request);
  if (strcmp(how, "MPI_Iscan") == 0) MPI_Iscan(in, out, 2, pair, op, MPI_COMM_WORLD, &request);
  if (strcmp(how, "MPI_Iexscan") == 0) MPI_Iexscan(in, out, 2, pair, op, MPI_COMM_WORLD, &request);
  if (strcmp(how, "MPI_Ireduce_scatter") == 0) MPI_Ireduce_scatter(in, out, counts, pair, op, MPI_COMM_WORLD, &request);
  if (strcmp(how, "MPI_Ireduce_scatter_block") == 0)
    MPI_Ireduce_scatter_block(in, out, 1, pair, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == root) printf("%d %d\n", out[0], out[1]);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
