/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws calls and their arguments, good ones and wrong ones, by the seed that the argument is: the same on all ranks.
 * What only the root looks at is wrong in MPI_COMM_SELF alone: elsewhere the others would wait for it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { calls = 400, room = 4096 };
static int me, n;
static unsigned long long state;
static unsigned draw(unsigned below) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(state >> 33) % below;
}
static int wrong(void) { return draw(6) == 0; }
static int one_of(int good, int bad) { return wrong() ? bad : good; }

static char a[room], b[room];
static MPI_Datatype raw;
static MPI_Comm comm;

static MPI_Datatype a_type(void) {
  static MPI_Datatype good[4];
  good[0] = MPI_INT, good[1] = MPI_DOUBLE, good[2] = MPI_CHAR, good[3] = MPI_LONG;
  MPI_Datatype type = good[draw(4)], bad[2] = {MPI_DATATYPE_NULL, raw};
  const unsigned which = draw(2);
  return wrong() ? bad[which] : type;
}
static MPI_Op an_op(void) {
  MPI_Op ops[6] = {MPI_SUM, MPI_MAX, MPI_BAND, MPI_LOR, MPI_MAXLOC, MPI_OP_NULL};
  return ops[draw(6)];
}
static int a_count(void) { return one_of((int)draw(60), -1); }
static void* in_a(void) { return wrong() ? NULL : a; }
static void* in_b(void) { return wrong() ? NULL : b; }

static int call(void) {
  static int counts[8], at[8];
  static MPI_Datatype types[8];
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Comm comms[8] = {MPI_COMM_WORLD, MPI_COMM_WORLD, MPI_COMM_WORLD, MPI_COMM_SELF,
                       MPI_COMM_SELF,  MPI_COMM_WORLD, MPI_COMM_SELF,  MPI_COMM_NULL};
  comm = comms[draw(8)];
  const int alone = comm == MPI_COMM_SELF, size = comm == MPI_COMM_WORLD ? n : 1,
            rank = comm == MPI_COMM_WORLD ? me : 0;
  const int root = one_of((int)draw((unsigned)size), (int)draw(3) - 1 ? size : -1), count = a_count();
  const MPI_Datatype type = a_type();
  const MPI_Op op = an_op();
  void* const out = in_a();
  const int negative = wrong(), length = (int)draw(12);
  for (int i = 0; i < 8; ++i) counts[i] = negative && i == 0 ? -1 : length, at[i] = i * length, types[i] = type;
  int* const their_counts = wrong() ? NULL : counts;
  int* const places = wrong() ? NULL : at;
  void* const in = in_b();
  const int tag = one_of((int)draw(9), -3), next = one_of((rank + 1) % size, size),
            before = one_of((rank + size - 1) % size, -2);
  int flag, code;
  switch (draw(19)) {
  case 0:
    return MPI_Bcast(out, count, type, root, comm);
  case 1:
    return MPI_Reduce(out, alone ? in : b, count, type, op, root, comm);
  case 2:
    return MPI_Allreduce(out, in, count, type, op, comm);
  case 3:
    return MPI_Scan(out, in, count, type, op, comm);
  case 4:
    return MPI_Exscan(out, in, count, type, op, comm);
  case 5:
    return MPI_Reduce_scatter_block(out, in, count, type, op, comm);
  case 6:
    return MPI_Reduce_scatter(out, in, their_counts, type, op, comm);
  case 7:
    return MPI_Gather(out, count, type, alone ? in : b, count, alone ? a_type() : type, root, comm);
  case 8:
    return MPI_Scatter(alone ? in : b, count, alone ? a_type() : type, out, count, type, root, comm);
  case 9:
    return MPI_Allgather(out, count, type, in, alone ? a_count() : count, type, comm);
  case 10:
    return MPI_Alltoall(out, count, type, in, alone ? a_count() : count, type, comm);
  case 11:
    return MPI_Allgatherv(out, length, type, in, their_counts, places, type, comm);
  case 12:
    return MPI_Alltoallv(out, their_counts, places, type, in, counts, at, type, comm);
  case 13:
    return MPI_Alltoallw(out, their_counts, places, types, in, counts, at, types, comm);
  case 14:
    if (!alone) return MPI_SUCCESS;
    return MPI_Gatherv(out, length, type, in, their_counts, places, type, root, comm);
  case 15:
    if (!alone) return MPI_SUCCESS;
    return MPI_Scatterv(out, their_counts, places, type, in, length, type, root, comm);
  case 16:
    return MPI_Sendrecv(out, count, type, next, tag, in, count, type, before, tag, comm, MPI_STATUS_IGNORE);
  case 17:
    code = MPI_Irecv(in, count, type, before, tag, comm, &requests[0]);
    if (code != MPI_SUCCESS) return code;
    code = next == size || out == NULL ? MPI_Isend(a, count, type, (rank + 1) % size, tag, comm, &requests[1])
                                       : MPI_Isend(out, count, type, next, tag, comm, &requests[1]);
    return code == MPI_SUCCESS ? MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) : code;
  default:
    return MPI_Iprobe(before, 100 + tag * 40, comm, &flag, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  char text[MPI_MAX_ERROR_STRING];
  int length, class;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &raw);
  state = strtoull(argv[1], NULL, 10);
  for (int i = 0; i < calls; ++i) {
    memset(a, 1, room);
    const int code = call();
    MPI_Error_class(code, &class);
    MPI_Error_string(class, text, &length);
    printf("%d| %d: %s\n", me, i, text);
    fflush(stdout);
  }
  MPI_Type_free(&raw);
  MPI_Finalize();
  return 0;
}
