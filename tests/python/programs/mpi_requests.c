/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program may do to requests, datatypes and operations before a request is complete. A line for each case:
   "RANK| case: right" or "... WRONG". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 4, MANY = 100000 };

static int rank, size, left, right;

static void show(const char* what, int is_right) { printf("%d| %s: %s\n", rank, what, is_right ? "right" : "WRONG"); }

/* Two ints in every four. */
static MPI_Datatype gapped(void) {
  MPI_Datatype pair, made;
  MPI_Type_vector(2, 2, 4, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, 8 * sizeof(int), &made);
  MPI_Type_commit(&made);
  MPI_Type_free(&pair);
  return made;
}

static int is_gapped(const int* data, int first) {
  for (int i = 0; i < 8; ++i)
    if (data[i] != (i % 4 < 2 ? first + i : -1)) return 0;
  return 1;
}

static void fill(int* data, int count, int first) {
  for (int i = 0; i < count; ++i) data[i] = first < 0 ? -1 : first + i;
}

static void without_partners(void) {
  double u[4] = {rank, rank, -1, -1};
  const int below = rank > 0 ? rank - 1 : MPI_PROC_NULL, above = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  MPI_Request all[4];
  MPI_Status statuses[4];
  MPI_Send_init(&u[0], 1, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &all[0]);
  MPI_Ssend_init(&u[1], 1, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &all[1]);
  MPI_Recv_init(&u[2], 1, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &all[2]);
  MPI_Recv_init(&u[3], 1, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &all[3]);
  int ok = 1;
  for (int round = 0; round < 3; ++round) {
    u[2] = u[3] = -1;
    MPI_Startall(4, all);
    MPI_Waitall(4, all, statuses);
    ok &= u[2] == (rank > 0 ? rank - 1 : -1) && u[3] == (rank + 1 < size ? rank + 1 : -1);
    if (below == MPI_PROC_NULL) ok &= statuses[2].MPI_SOURCE == MPI_PROC_NULL;
    if (above == MPI_PROC_NULL) ok &= statuses[3].MPI_SOURCE == MPI_PROC_NULL;
  }
  show("persistent requests, some without a partner", ok);
  for (int i = 0; i < 4; ++i) MPI_Request_free(&all[i]);

  MPI_Request nobody[2];
  MPI_Status status;
  int flag = 0, which = -1, done = 0, indices[2];
  MPI_Recv_init(&u[2], 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &nobody[0]);
  MPI_Send_init(&u[0], 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &nobody[1]);
  MPI_Waitall(2, nobody, MPI_STATUSES_IGNORE); /* inactive */
  MPI_Start(&nobody[0]);
  MPI_Test(&nobody[0], &flag, &status);
  ok = flag && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && nobody[0] != MPI_REQUEST_NULL;
  MPI_Start(&nobody[1]);
  MPI_Waitany(2, nobody, &which, &status);
  ok &= which == 1;
  MPI_Waitany(2, nobody, &which, &status);
  ok &= which == MPI_UNDEFINED;
  MPI_Startall(2, nobody);
  MPI_Testall(2, nobody, &flag, MPI_STATUSES_IGNORE);
  ok &= flag;
  MPI_Startall(2, nobody);
  MPI_Waitsome(2, nobody, &done, indices, MPI_STATUSES_IGNORE);
  ok &= done == 2;
  MPI_Testany(2, nobody, &which, &flag, &status);
  ok &= flag && which == MPI_UNDEFINED;
  for (int i = 0; i < 2; ++i) MPI_Request_free(&nobody[i]);
  show("completions of nobody's requests", ok);
}

static void freed_datatypes(void) {
  int out[8], in[8];
  MPI_Request r;
  MPI_Datatype type = gapped();
  fill(out, 8, 10 * rank);
  fill(in, 8, -1);
  MPI_Irecv(in, 1, type, left, 1, MPI_COMM_WORLD, &r);
  MPI_Type_free(&type);
  type = gapped();
  MPI_Send(out, 1, type, right, 1, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  show("a receive's datatype freed before its wait", is_gapped(in, 10 * left));

  fill(in, 8, -1);
  MPI_Recv_init(in, 1, type, left, 2, MPI_COMM_WORLD, &r);
  MPI_Start(&r);
  MPI_Send(out, 1, type, right, 2, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Request_free(&r);
  show("a persistent receive's datatype freed before its wait", is_gapped(in, 10 * left));

  type = gapped();
  fill(in, 8, rank == 0 ? 70 : -1);
  MPI_Ibcast(in, 1, type, 0, MPI_COMM_WORLD, &r);
  MPI_Type_free(&type);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  show("a broadcast's datatype freed before its wait", rank == 0 || is_gapped(in, 70));

  int* all = malloc(sizeof(int) * 8 * (size_t)size);
  for (int round = 0; round < 2; ++round) {
    type = gapped();
    fill(all, 8 * size, -1);
    if (round == 0)
      MPI_Igather(out, 1, type, all, 1, type, 0, MPI_COMM_WORLD, &r);
    else
      MPI_Iallgather(out, 1, type, all, 1, type, MPI_COMM_WORLD, &r);
    MPI_Type_free(&type);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    int ok = 1;
    for (int i = 0; i < size && (round == 1 || rank == 0); ++i) ok &= is_gapped(all + 8 * i, 10 * i);
    show(round == 0 ? "a gather's datatype freed before its wait" : "an all-gather's datatype freed before its wait",
         ok);
  }
  free(all);
}

static void add(void* in, void* result, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)result)[i] += ((int*)in)[i];
}

static void freed_operations(void) {
  int own = rank + 1, sum = 0;
  MPI_Op op;
  MPI_Request r;
  MPI_Op_create(add, 1, &op);
  MPI_Iallreduce(&own, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &r);
  MPI_Op_free(&op);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  show("a reduction's operation freed before its wait", sum == size * (size + 1) / 2 && op == MPI_OP_NULL);
}

static int freed_out[MANY], freed_few[FEW], freed_many[MANY];

/* Nothing but the end of MPI tells a program that they are complete. */
static void freed_requests(int* in, int count, int tag) {
  MPI_Request r[2];
  fill(freed_out, MANY, rank);
  fill(in, count, -1);
  MPI_Irecv(in, count, MPI_INT, left, tag, MPI_COMM_WORLD, &r[0]);
  MPI_Request_free(&r[0]);
  MPI_Isend(freed_out, count, MPI_INT, right, tag, MPI_COMM_WORLD, &r[1]);
  MPI_Request_free(&r[1]);
  show("freed requests are null", r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void cancelled(int tag) {
  static int big[MANY], small = 0;
  MPI_Request r[2];
  MPI_Status status;
  int flag = 0, is_cancelled = 0, ok = 1;
  for (int how = 0; how < 3; ++how) {
    MPI_Isend(big, MANY, MPI_INT, right, 6, MPI_COMM_WORLD, &r[0]);
    MPI_Issend(&small, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &r[1]);
    MPI_Cancel(&r[0]);
    MPI_Cancel(&r[1]);
    if (how == 0) {
      for (int i = 0; i < 2; ++i) {
        MPI_Wait(&r[i], &status);
        MPI_Test_cancelled(&status, &is_cancelled);
        ok &= is_cancelled;
      }
    } else if (how == 1) {
      for (flag = 0; !flag;) MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    } else {
      for (int i = 0; i < 2; ++i)
        for (flag = 0; !flag;) MPI_Test(&r[i], &flag, &status);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    ok &= !flag;
  }
  MPI_Irecv(&small, 1, MPI_INT, left, 8, MPI_COMM_WORLD, &r[0]);
  MPI_Cancel(&r[0]);
  MPI_Wait(&r[0], &status);
  MPI_Test_cancelled(&status, &is_cancelled);
  ok &= is_cancelled;
  /* What comes afterwards is matched as if they had never been. With SMPI's messages it is not, if it has their tag. */
  int got = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, tag, &got, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  show("cancelled sends and receives", ok && got == left);
}

static int there[FEW * 2], here[FEW * 2];

static int is_here(int from) {
  int ok = 1;
  for (int i = 0; i < FEW; ++i) ok &= here[2 * i] == 100 * from + 2 * i && here[2 * i + 1] == -1;
  fill(here, FEW * 2, -1);
  return ok;
}

static void absolute_addresses(int receives_at_bottom) {
  int ones[FEW], packed[FEW], at = 0;
  MPI_Aint places[FEW];
  MPI_Datatype out, in, every_other;
  MPI_Request r;
  for (int i = 0; i < FEW; ++i) ones[i] = 1;
  for (int i = 0; i < FEW; ++i) MPI_Get_address(&there[2 * i], &places[i]);
  MPI_Type_create_hindexed(FEW, ones, places, MPI_INT, &out);
  MPI_Type_commit(&out);
  for (int i = 0; i < FEW; ++i) MPI_Get_address(&here[2 * i], &places[i]);
  MPI_Type_create_hindexed(FEW, ones, places, MPI_INT, &in);
  MPI_Type_commit(&in);
  fill(there, FEW * 2, 100 * rank);
  fill(here, FEW * 2, -1);
  MPI_Type_vector(FEW, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Sendrecv(MPI_BOTTOM, 1, out, right, 0, receives_at_bottom ? MPI_BOTTOM : here, 1,
               receives_at_bottom ? in : every_other, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&every_other);
  show("MPI_BOTTOM in MPI_Sendrecv", is_here(left));
  MPI_Irecv(MPI_BOTTOM, 1, in, left, 0, MPI_COMM_WORLD, &r);
  MPI_Send(MPI_BOTTOM, 1, out, right, 0, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  show("MPI_BOTTOM in MPI_Irecv", is_here(left));
  MPI_Bcast(MPI_BOTTOM, 1, rank == 0 ? out : in, 0, MPI_COMM_WORLD);
  show("MPI_BOTTOM in MPI_Bcast", rank == 0 || is_here(0));
  MPI_Gather(MPI_BOTTOM, 1, out, packed, FEW, MPI_INT, 0, MPI_COMM_SELF);
  show("MPI_BOTTOM in MPI_Gather", packed[FEW - 1] == 100 * rank + 2 * (FEW - 1));
  MPI_Pack(MPI_BOTTOM, 1, out, packed, sizeof packed, &at, MPI_COMM_WORLD);
  at = 0;
  MPI_Unpack(packed, sizeof packed, &at, MPI_BOTTOM, 1, in, MPI_COMM_WORLD);
  show("MPI_BOTTOM in MPI_Pack and MPI_Unpack", is_here(rank) && at == sizeof packed);
  MPI_Type_free(&in);
  MPI_Type_free(&out);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  without_partners();
  freed_datatypes();
  freed_operations();
  freed_requests(freed_few, FEW, 9);
  freed_requests(freed_many, MANY, 10);
  cancelled(argc > 1 ? atoi(argv[1]) : 6);
  absolute_addresses(argc <= 2 || strcmp(argv[2], "sends_only") != 0);
  MPI_Finalize();
  show("freed requests of short messages", freed_few[0] == left && freed_few[FEW - 1] == left + FEW - 1);
  show("freed requests of long messages", freed_many[0] == left && freed_many[MANY - 1] == left + MANY - 1);
  return 0;
}
