/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what point-to-point calls deliver: data, statuses, counts. Every line must be the same under any MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me;
#define printf(...) (printf("%d| ", me), printf(__VA_ARGS__)) /* every line says whose it is */

enum { LONG = 200 };

static void say(const char* what, const MPI_Status* status, int value) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  printf("%s: from %d tag %d count %d value %d\n", what, status->MPI_SOURCE, status->MPI_TAG, count, value);
}

/* What SMPI 3.32 gets wrong itself is checked here. */
static void own(const char* what, int right) { printf("own: %s %s\n", what, right ? "right" : "WRONG"); }

/* Round the ring: every way to send, every way to receive; short messages and long ones. */
static void ring(MPI_Comm comm, const char* name, int n) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int out[LONG], in[LONG];
  for (int i = 0; i < n; ++i) out[i] = 1000 * rank + i;
  char label[64];
  snprintf(label, sizeof label, "%s %d", name, n);
  MPI_Request requests[4];
  MPI_Status status, statuses[4];

  MPI_Irecv(in, LONG, MPI_INT, left, 1, comm, &requests[0]);
  MPI_Send(out, n, MPI_INT, right, 1, comm);
  MPI_Wait(&requests[0], &status);
  say(label, &status, in[n - 1]);

  MPI_Irecv(in, LONG, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
  MPI_Ssend(out, n, MPI_INT, right, 2, comm);
  MPI_Wait(&requests[0], &status);
  say(label, &status, in[n - 1]);

  MPI_Isend(out, n, MPI_INT, right, 3, comm, &requests[0]);
  MPI_Issend(out, n, MPI_INT, right, 4, comm, &requests[1]);
  MPI_Probe(left, 3, comm, &status);
  say("probe", &status, 0);
  MPI_Recv(in, LONG, MPI_INT, left, 3, comm, &status);
  say(label, &status, in[n - 1]);
  MPI_Recv(in, LONG, MPI_INT, MPI_ANY_SOURCE, 4, comm, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  printf("%s null after wait %d\n", label, requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);

  MPI_Sendrecv(out, n, MPI_INT, right, 5, in, LONG, MPI_INT, left, 5, comm, &status);
  if (left == rank) own("exchange with itself", status.MPI_SOURCE == rank); /* SMPI 3.32: its actor's number */
  status.MPI_SOURCE = left;
  say(label, &status, in[n - 1]);
  MPI_Sendrecv_replace(out, n, MPI_INT, left, 6, right, 6, comm, &status);
  status.MPI_SOURCE = right;
  say(label, &status, out[n - 1]);

  char* room = malloc(LONG * sizeof(int) + MPI_BSEND_OVERHEAD);
  int room_size;
  MPI_Buffer_attach(room, LONG * sizeof(int) + MPI_BSEND_OVERHEAD);
  MPI_Bsend(out, n, MPI_INT, right, 7, comm);
  MPI_Recv(in, LONG, MPI_INT, left, 7, comm, &status);
  MPI_Buffer_detach(&room, &room_size);
  free(room);
  say(label, &status, in[n - 1]);

  int flag = 0;
  MPI_Isend(out, n, MPI_INT, right, 8, comm, &requests[0]);
  while (!flag) MPI_Iprobe(left, 8, comm, &flag, &status);
  MPI_Irecv(in, LONG, MPI_INT, left, 8, comm, &requests[1]);
  for (flag = 0; !flag;) MPI_Test(&requests[1], &flag, &status);
  say(label, &status, in[n - 1]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

  /* persistent: three rounds over the same requests */
  MPI_Send_init(out, n, MPI_INT, right, 10, comm, &requests[0]);
  MPI_Ssend_init(out, n, MPI_INT, right, 11, comm, &requests[1]);
  MPI_Recv_init(in, LONG, MPI_INT, left, 10, comm, &requests[2]);
  MPI_Recv_init(in, LONG, MPI_INT, MPI_ANY_SOURCE, 11, comm, &requests[3]);
  for (int round = 0; round < 3; ++round) {
    out[n - 1] = round;
    MPI_Startall(3, requests);
    MPI_Start(&requests[3]);
    MPI_Waitall(4, requests, statuses);
    say(label, &statuses[2], in[n - 1]);
    say(label, &statuses[3], in[n - 1]);
  }
  for (int i = 0; i < 4; ++i) MPI_Request_free(&requests[i]);
  printf("freed %d\n", requests[0] == MPI_REQUEST_NULL);
}

/* Sets of requests: rank 0 gathers from all others, in whatever order; printed in rank order. */
static void sets(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int way = 0; way < 5; ++way) {
    for (int n = 1; n <= LONG; n += LONG - 1) {
      if (rank != 0) {
        int out[LONG] = {100 * way + rank};
        MPI_Request request;
        MPI_Isend(out, n, MPI_INT, 0, way, comm, &request);
        int index = -1;
        if (way == 0) MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
        if (way != 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
        continue;
      }
      int(*in)[LONG] = malloc(sizeof(int[LONG]) * size);
      MPI_Request* requests = malloc(sizeof(MPI_Request) * size);
      MPI_Status* statuses = malloc(sizeof(MPI_Status) * size);
      MPI_Status* by_rank = malloc(sizeof(MPI_Status) * size);
      int* indices = malloc(sizeof(int) * size);
      requests[0] = MPI_REQUEST_NULL;
      for (int r = 1; r < size; ++r) MPI_Irecv(in[r], LONG, MPI_INT, r, way, comm, &requests[r]);
      for (int left = size - 1; left > 0;) {
        int index = -1, flag = 0, count = 0;
        MPI_Status status;
        if (way == 0) {
          MPI_Waitany(size, requests, &index, &status);
          by_rank[index] = status;
          --left;
        } else if (way == 1) {
          MPI_Testany(size, requests, &index, &flag, &status);
          if (!flag) continue;
          by_rank[index] = status;
          --left;
        } else if (way == 2 || way == 3) {
          if (way == 2) MPI_Waitsome(size, requests, &count, indices, statuses);
          if (way == 3) MPI_Testsome(size, requests, &count, indices, statuses);
          for (int i = 0; i < count; ++i) by_rank[indices[i]] = statuses[i];
          left -= count;
        } else {
          MPI_Testall(size - 1, requests + 1, &flag, by_rank + 1);
          if (flag) left = 0;
        }
      }
      for (int r = 1; r < size; ++r) {
        if (way == 4) { /* SMPI 3.32 forgets the statuses of those that were complete at an earlier test */
          own("testall", by_rank[r].MPI_SOURCE == r && by_rank[r].MPI_TAG == way);
          printf("set: value %d\n", in[r][0]);
        } else {
          say("set", &by_rank[r], in[r][0]);
        }
      }
      int done = 0, index = 0, flag = 0;
      MPI_Waitany(size, requests, &index, MPI_STATUS_IGNORE);
      MPI_Testany(size, requests, &done, &flag, MPI_STATUS_IGNORE);
      printf("nothing left: %d %d %d\n", index == MPI_UNDEFINED, done == MPI_UNDEFINED, flag);
      free(in), free(requests), free(statuses), free(by_rank), free(indices);
    }
    MPI_Barrier(comm);
  }
}

/* Wildcards: long and short messages of many senders meet receives from any source; each arrives once. */
static void wildcards(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank != 0) {
    int out[LONG] = {rank};
    for (int i = 0; i < 4; ++i) MPI_Send(out, (rank + i) % 2 ? 1 : LONG, MPI_INT, 0, i, comm);
    MPI_Request request;
    MPI_Isend(out, LONG, MPI_INT, 0, 4, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  }
  int sum = 0, consistent = 1, in[LONG];
  for (int i = 0; i < 5 * (size - 1); ++i) {
    MPI_Status status;
    int count;
    if (i % 2) MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    MPI_Recv(in, LONG, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    consistent &= in[0] == status.MPI_SOURCE;
    consistent &= count == (status.MPI_TAG < 4 && (status.MPI_SOURCE + status.MPI_TAG) % 2 ? 1 : LONG);
    sum += in[0];
  }
  printf("wildcards: sum %d consistent %d\n", sum, consistent);
}

static void types(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Status status;
  int matrix[8][8], column[8], count = -1;
  for (int i = 0; i < 64; ++i) matrix[i / 8][i % 8] = 100 * rank + i;
  MPI_Datatype column_type;
  MPI_Type_vector(8, 1, 8, MPI_INT, &column_type);
  MPI_Type_commit(&column_type);
  MPI_Sendrecv(&matrix[0][3], 1, column_type, right, 0, column, 8, MPI_INT, left, 0, comm, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  printf("column: %d %d %d count %d\n", column[0], column[1], column[7], count);
  MPI_Sendrecv(column, 8, MPI_INT, left, 1, &matrix[0][5], 1, column_type, right, 1, comm, &status);
  MPI_Get_count(&status, column_type, &count);
  printf("into a column: %d %d %d count %d\n", matrix[0][5], matrix[7][5], matrix[7][6], count);
  MPI_Type_free(&column_type);

  int nothing = -1;
  MPI_Recv(&nothing, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_Send(&nothing, 1, MPI_INT, MPI_PROC_NULL, 0, comm);
  printf("null process: %d %d count %d\n", status.MPI_SOURCE == MPI_PROC_NULL, nothing, count);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 2, &nothing, 0, MPI_INT, MPI_PROC_NULL, 2, comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&rank, 0, MPI_INT, MPI_PROC_NULL, 2, &nothing, 1, MPI_INT, left, 2, comm, MPI_STATUS_IGNORE);
  printf("half null: %d\n", nothing);

  MPI_Request request;
  MPI_Irecv(&nothing, 1, MPI_INT, left, 77, comm, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  int cancelled = 0;
  MPI_Test_cancelled(&status, &cancelled);
  printf("cancelled: %d\n", cancelled);
}

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  me = rank;
  MPI_Comm copy, halves;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &halves);
  for (int n = 1; n <= LONG; n += LONG - 1) {
    ring(MPI_COMM_WORLD, "world", n);
    ring(copy, "copy", n);
    ring(halves, "halves", n);
    ring(MPI_COMM_SELF, "self", n);
  }
  sets(MPI_COMM_WORLD);
  sets(halves);
  wildcards(MPI_COMM_WORLD);
  wildcards(halves);
  types(MPI_COMM_WORLD);
  types(halves);
  /* the same message in two communicators */
  int size, in[2];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size, one = 1, two = 2;
  MPI_Request requests[2];
  MPI_Irecv(&in[1], 1, MPI_INT, left, 0, copy, &requests[0]);
  MPI_Irecv(&in[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(&one, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Send(&two, 1, MPI_INT, right, 0, copy);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  printf("two communicators: %d %d\n", in[0], in[1]);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&halves);
  MPI_Finalize();
  return 0;
}
