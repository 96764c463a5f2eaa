/* SPDX-License-Identifier: BSD-3-Clause */
/* One wrong call, in the way that the argument names, under the handlers that MPI starts with. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  static int out[10], in[10];
  int me, n, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm other;
  MPI_Comm_split(MPI_COMM_WORLD, 0, me, &other);
  printf("rank %d is here\n", me);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* does not apply to other communicators */
  const char* how = argv[1];
  if (strcmp(how, "nothing") == 0) MPI_Send(out, 1, MPI_INT, 5, 0, MPI_COMM_SELF);
  if (strcmp(how, "send") == 0 && me == 1) MPI_Send(out, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);
  if (strcmp(how, "isend") == 0 && me == 1) {
    MPI_Request request;
    MPI_Isend(out, -1, MPI_INT, 0, 0, other, &request);
  }
  if (strcmp(how, "bcast") == 0 && me == 1) MPI_Bcast(out, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  if (strcmp(how, "op") == 0 && me == 1) MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
  if (strcmp(how, "truncate") == 0) {
    if (me == 0) MPI_Send(out, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (me == 1) MPI_Recv(in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (strcmp(how, "wait") == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (me == 0) MPI_Isend(out, 2, MPI_INT, 1, 0, other, &request);
    if (me == 1) MPI_Irecv(in, 1, MPI_INT, 0, 0, other, &request);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  }
  if (strcmp(how, "foreign") == 0 && me == 1) MPI_Type_size(MPI_DATATYPE_NULL, &size);
  if (strcmp(how, "call") == 0 && me == 1) MPI_Comm_call_errhandler(other, MPI_ERR_OTHER);
  if (strcmp(how, "window") == 0) {
    MPI_Win win;
    MPI_Win_create(in, sizeof in, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (me == 1) MPI_Put(out, 1, MPI_INT, 3, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
