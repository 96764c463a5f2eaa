/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's own profiling tool: counts calls and bytes of each rank, and prints them at the end. */
#include <mpi.h>
#include <stdio.h>

static int sends, receives, reductions;
static long sent;

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  int size;
  PMPI_Type_size(type, &size);
  ++sends;
  sent += (long)count * size;
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  ++receives;
  return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++reductions;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Finalize(void) {
  printf("tool: %d sends of %ld bytes, %d receives, %d reductions\n", sends, sent, receives, reductions);
  return PMPI_Finalize();
}
