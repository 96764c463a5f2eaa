/* SPDX-License-Identifier: BSD-3-Clause */
// Messages and nothing else: messages PATTERN REPEATS BYTES. Each pattern's messages per repetition and rank are in
// `run`.
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Ranks {
  int own, peer, up, down;
};

static void ping_pong(struct Ranks r, char* out, char* in, int bytes) {
  if (r.own % 2 == 0) MPI_Send(out, bytes, MPI_BYTE, r.peer, 0, MPI_COMM_WORLD);
  MPI_Recv(in, bytes, MPI_BYTE, r.peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (r.own % 2 == 1) MPI_Send(out, bytes, MPI_BYTE, r.peer, 0, MPI_COMM_WORLD);
}

static void ring(struct Ranks r, char* out, char* in, int bytes) {
  MPI_Sendrecv(out, bytes, MPI_BYTE, r.up, 0, in, bytes, MPI_BYTE, r.down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void halo(struct Ranks r, char* out, char* in, int bytes) {
  MPI_Request requests[4];
  MPI_Irecv(in, bytes, MPI_BYTE, r.up, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in + bytes, bytes, MPI_BYTE, r.down, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out, bytes, MPI_BYTE, r.down, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out + bytes, bytes, MPI_BYTE, r.up, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void collectives(struct Ranks r, char* out, char* in, int bytes) {
  double own = r.own;
  double sum = 0;
  MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  (void)in;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*pattern)(struct Ranks, char*, char*, int);
  } patterns[] = {{"ping_pong", ping_pong}, {"ring", ring}, {"halo", halo}, {"collectives", collectives}};
  MPI_Init(&argc, &argv);
  struct Ranks r;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r.own);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 4 || size % 2 != 0) {
    fputs("usage: messages PATTERN REPEATS BYTES, on an even number of ranks\n", stderr);
    return 2;
  }
  r.peer = r.own ^ 1;
  r.up = (r.own + 1) % size;
  r.down = (r.own + size - 1) % size;
  const int bytes = atoi(argv[3]);
  char* out = calloc(2, (size_t)bytes);
  char* in = calloc(2, (size_t)bytes);
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; ++p)
    if (strcmp(patterns[p].name, argv[1]) == 0)
      for (int i = 0; i < atoi(argv[2]); ++i) patterns[p].pattern(r, out, in, bytes);
  free(out);
  free(in);
  return MPI_Finalize();
}
