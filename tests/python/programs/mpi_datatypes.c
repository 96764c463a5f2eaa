/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds and data of derived datatypes, where SMPI 3.32 breaks MPI's rules. A line for each case:
   "RANK| case: right" or "... WRONG". */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int rank;

static void show(const char* what, int is_right) { printf("%d| %s: %s\n", rank, what, is_right ? "right" : "WRONG"); }

static int has_bounds(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent) {
  MPI_Aint l, e;
  MPI_Type_get_extent(type, &l, &e);
  return l == lower && e == extent;
}

/* Packs `count` elements at `from` and unpacks them at `to`; then sends them to this rank, to `to` as well. */
static void move(const void* from, void* to, size_t bytes, int count, MPI_Datatype type) {
  static char packed[4096];
  int at = 0, size = 0;
  MPI_Request r;
  MPI_Pack(from, count, type, packed, sizeof packed, &at, MPI_COMM_SELF);
  size = at;
  at = 0;
  MPI_Unpack(packed, size, &at, to, count, type, MPI_COMM_SELF);
  (void)bytes;
  MPI_Isend(from, count, type, 0, 1, MPI_COMM_SELF, &r);
  MPI_Recv(to, count, type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

struct padded {
  double value;
  char mark;
};

static void structures(void) {
  const int ones[2] = {1, 1};
  const MPI_Aint at[2] = {offsetof(struct padded, value), offsetof(struct padded, mark)};
  const MPI_Datatype members[2] = {MPI_DOUBLE, MPI_CHAR};
  MPI_Datatype type;
  struct padded out[5], in[5];
  memset(in, 0, sizeof in);
  for (int i = 0; i < 5; ++i) out[i].value = i + 0.5, out[i].mark = (char)('a' + i);
  MPI_Type_create_struct(2, ones, at, members, &type);
  MPI_Type_commit(&type);
  int ok = has_bounds(type, 0, sizeof(struct padded));
  move(out, in, sizeof out, 5, type);
  for (int i = 0; i < 5; ++i) ok &= in[i].value == i + 0.5 && in[i].mark == 'a' + i;
  show("an array of padded structures", ok);

  const MPI_Datatype outer[2] = {type, MPI_CHAR};
  const MPI_Aint places[2] = {0, sizeof(struct padded)};
  MPI_Datatype nested;
  MPI_Type_create_struct(2, ones, places, outer, &nested);
  show("the padding of a nested structure", has_bounds(nested, 0, 3 * sizeof(double)));
  MPI_Type_free(&nested);
  MPI_Type_free(&type);

  const MPI_Aint backwards[2] = {0, -8};
  const MPI_Datatype two[2] = {MPI_DOUBLE, MPI_DOUBLE};
  double a[4] = {1, 2, 3, 4}, b[4] = {0, 0, 0, 0};
  MPI_Type_create_struct(2, ones, backwards, two, &type);
  MPI_Type_commit(&type);
  ok = has_bounds(type, -8, 16);
  move(&a[1], &b[1], 0, 2, type);
  show("a structure with a negative displacement", ok && memcmp(a, b, sizeof a) == 0);
  MPI_Type_free(&type);
}

static void vectors(void) {
  int a[24], b[24], ok;
  MPI_Datatype type, resized;
  for (int i = 0; i < 24; ++i) a[i] = i, b[i] = -1;
  MPI_Type_vector(3, 1, -2, MPI_INT, &type);
  MPI_Type_commit(&type);
  ok = has_bounds(type, -4 * (MPI_Aint)sizeof(int), 5 * sizeof(int));
  move(&a[4], &b[4], 0, 2, type);
  for (int i = 0; i < 10; ++i) ok &= b[i] == (i == 0 || i == 2 || i == 4 || i == 5 || i == 7 || i == 9 ? i : -1);
  show("vectors with a negative stride", ok);
  MPI_Type_free(&type);

  for (int i = 0; i < 24; ++i) b[i] = -1;
  MPI_Type_vector(2, 1, 2, MPI_INT, &type);
  MPI_Type_create_resized(type, 0, 6 * sizeof(int), &resized);
  MPI_Type_commit(&resized);
  move(a, b, 0, 3, resized);
  ok = 1;
  for (int i = 0; i < 18; ++i) ok &= b[i] == (i % 6 == 0 || i % 6 == 2 ? i : -1);
  show("vectors made longer", ok);
  MPI_Type_free(&type);
  MPI_Type_free(&resized);
}

static void indexed(void) {
  int a[24], b[24], ok = 1;
  const int lengths[2] = {2, 1}, at[2] = {3, -1};
  MPI_Datatype type, copy;
  MPI_Aint lower, extent;
  for (int i = 0; i < 24; ++i) a[i] = i, b[i] = -1;
  MPI_Type_indexed(2, lengths, at, MPI_INT, &type);
  MPI_Type_commit(&type);
  ok = has_bounds(type, -(MPI_Aint)sizeof(int), 6 * sizeof(int));
  move(&a[1], &b[1], 0, 2, type);
  for (int i = 0; i < 12; ++i) ok &= b[i] == (i == 0 || i == 4 || i == 5 || i == 6 || i == 10 || i == 11 ? i : -1);
  show("blocks with a negative displacement", ok);

  for (int i = 0; i < 24; ++i) b[i] = -1;
  MPI_Type_dup(type, &copy);
  move(&a[1], &b[1], 0, 1, copy);
  ok = 1;
  for (int i = 0; i < 12; ++i) ok &= b[i] == (i == 0 || i == 4 || i == 5 ? i : -1);
  show("a copy of a datatype of blocks", ok);
  MPI_Type_free(&copy);
  MPI_Type_free(&type);

  const int three = 3, second = 2;
  for (int i = 0; i < 24; ++i) b[i] = -1;
  MPI_Type_indexed(1, &three, &second, MPI_INT, &type);
  MPI_Type_commit(&type);
  move(a, b, 0, 1, type);
  MPI_Type_get_true_extent(type, &lower, &extent);
  ok = lower == 2 * (MPI_Aint)sizeof(int) && extent == 3 * (MPI_Aint)sizeof(int);
  for (int i = 0; i < 6; ++i) ok &= b[i] == (i >= 2 && i < 5 ? i : -1);
  show("one block at a displacement", ok);
  MPI_Type_free(&type);

  const int none = 0;
  MPI_Aint far = 4000;
  MPI_Type_create_hindexed(1, &none, &far, MPI_INT, &type);
  show("blocks without elements", has_bounds(type, 0, 0));
  MPI_Type_free(&type);
}

/* MPI_SUM on a window, through a datatype with gaps. */
static void accumulated(void) {
  double window[6] = {1, 1, 1, 1, 1, 1}, add[3] = {10, 20, 30};
  MPI_Datatype type;
  MPI_Win win;
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Win_create(window, sizeof window, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(add, 3, MPI_DOUBLE, rank ^ 1, 0, 1, type, MPI_SUM, win);
  MPI_Win_fence(0, win);
  show("a sum through a datatype with gaps", window[0] == 11 && window[2] == 21 && window[4] == 31 && window[1] == 1);
  MPI_Win_free(&win);
  MPI_Type_free(&type);
}

/* Of 12 elements dealt out four at a time to two processes, the first has 0 to 3 and 8 to 11. */
static void distributed(void) {
  int n = 12, how = MPI_DISTRIBUTE_CYCLIC, by = 4, processes = 2, packed[12], a[12], at = 0;
  MPI_Datatype type;
  for (int i = 0; i < 12; ++i) a[i] = i;
  MPI_Type_create_darray(2, 0, 1, &n, &how, &by, &processes, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Pack(a, 1, type, packed, sizeof packed, &at, MPI_COMM_SELF);
  show("four elements at a time", packed[1] == 1 && packed[3] == 3 && packed[4] == 8);
  MPI_Type_free(&type);
  by = MPI_DISTRIBUTE_DFLT_DARG;
  MPI_Type_create_darray(2, 0, 1, &n, &how, &by, &processes, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_commit(&type);
  at = 0;
  MPI_Pack(a, 1, type, packed, sizeof packed, &at, MPI_COMM_SELF);
  show("one element at a time, by default", packed[1] == 2 && packed[2] == 4);
  MPI_Type_free(&type);
  n = 2;
  how = MPI_DISTRIBUTE_BLOCK;
  MPI_Type_create_darray(2, 0, 1, &n, &how, &by, &processes, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_size(type, &at);
  show("a block each, by default", at == sizeof(int));
  MPI_Type_free(&type);
}

/* Each of `places` slots on rank 0 may be taken once, by whoever swaps it first. */
static void swapped(void) {
  enum { PLACES = 16 };
  int slots[PLACES], won = 0, all = 0, mine = rank + 1, free_slot = 0, old;
  MPI_Win win;
  memset(slots, 0, sizeof slots);
  MPI_Win_create(slots, rank == 0 ? sizeof slots : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < PLACES; ++i) {
    old = -1;
    MPI_Compare_and_swap(&mine, &free_slot, &old, MPI_INT, 0, i, win);
    MPI_Win_flush(0, win);
    won += old == 0;
  }
  MPI_Win_unlock_all(win);
  MPI_Allreduce(&won, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  show("each slot is won once", all == PLACES);
  MPI_Win_free(&win);
}

/* All ranks add to one number on rank 0: each finds what another left, and none is lost. */
static void fetched(void) {
  enum { TIMES = 20 };
  long sum = 0, one = 1, found = 0, last = -1;
  int size, ascending = 1, all = 0;
  MPI_Win win;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_create(&sum, rank == 0 ? sizeof sum : 0, sizeof sum, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int i = 0; i < TIMES; ++i) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Fetch_and_op(&one, &found, MPI_LONG, 0, 0, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    ascending &= found > last;
    last = found;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&ascending, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  show("numbers are fetched and added to at once", all == 1 && (rank != 0 || sum == (long)TIMES * size));
  MPI_Win_free(&win);
}

/* A copy that is committed and freed leaves the datatype that it was made of. */
static void copied(void) {
  MPI_Datatype vector, spaced, copy;
  int a[4] = {1, 2, 3, 4};
  MPI_Type_vector(1, 1, 2, MPI_INT, &vector);
  MPI_Type_create_resized(vector, 0, 2 * sizeof(int), &spaced);
  MPI_Type_free(&vector);
  MPI_Type_commit(&spaced);
  MPI_Type_dup(spaced, &copy);
  MPI_Type_commit(&copy);
  MPI_Type_free(&copy);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  show("freeing a copy leaves the original", MPI_Send(a, 2, spaced, MPI_PROC_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&spaced);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  structures();
  vectors();
  indexed();
  accumulated();
  distributed();
  swapped();
  fetched();
  copied();
  MPI_Finalize();
  return 0;
}
