/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts, a message, a non-blocking reduction and a communicator of its own, with the thread level that the program got:
   it asks for the one that its argument names, starts a thread that computes, and prints both. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void* sum(void* numbers) {
  int* n = numbers;
  for (int i = 1; i <= n[0]; ++i) n[1] += i;
  return NULL;
}

int main(int argc, char** argv) {
  int rank, provided = -1, queried = -1, value = 5, result = 0, numbers[2] = {100, 0}, window = 0;
  pthread_t thread;
  MPI_Comm own;
  MPI_Request request;
  MPI_Win win;
  MPI_Init_thread(&argc, &argv, argc > 1 ? atoi(argv[1]) : MPI_THREAD_MULTIPLE, &provided);
  const double begin = MPI_Wtime();
  MPI_Query_thread(&queried);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_create(&thread, NULL, sum, numbers);
  pthread_join(thread, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Win_create(&window, sizeof window, sizeof window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Fetch_and_op(&value, &result, MPI_INT, 1, 0, MPI_NO_OP, win);
  MPI_Win_fence(0, win);
  MPI_Iallreduce(&value, &result, 1, MPI_INT, MPI_SUM, own, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  printf("level %d %d, sum %d, window %d, begin %g\n", provided, queried, numbers[1], window, begin);
  MPI_Win_free(&win);
  MPI_Comm_free(&own);
  MPI_Finalize();
  return 0;
}
