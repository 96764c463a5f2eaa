/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what one-sided calls leave in windows and return. Every line must be the same under any MPI. */
#include <mpi.h>
#include <stdio.h>

enum { WORDS = 8 };

static int me, size, right, left;
#define printf(...) (printf("%d| ", me), printf(__VA_ARGS__)) /* every line says whose it is */

static void show(const char* what, const long* words) {
  printf("%s: %ld %ld %ld %ld %ld %ld %ld %ld\n", what, words[0], words[1], words[2], words[3], words[4], words[5],
         words[6], words[7]);
}

/* Everybody between the same fences. */
static void fences(MPI_Win win, long* words) {
  long out[2] = {1000 + me, 2000 + me}, in[2] = {-1, -1}, one = 1;
  MPI_Win_fence(0, win);
  MPI_Put(out, 2, MPI_LONG, right, 0, 2, MPI_LONG, win);
  MPI_Win_fence(0, win);
  MPI_Get(in, 2, MPI_LONG, left, 0, 2, MPI_LONG, win);
  MPI_Accumulate(&one, 1, MPI_LONG, 0, 2, 1, MPI_LONG, MPI_SUM, win);
  MPI_Accumulate(out, 1, MPI_LONG, right, 3, 1, MPI_LONG, MPI_MAX, win);
  MPI_Win_fence(0, win);
  show("fence", words);
  printf("got %ld %ld\n", in[0], in[1]);
}

/* Post, start, complete, wait: with the neighbours alone. */
static void neighbours(MPI_Win win, long* words) {
  MPI_Group all, from, to;
  long value = 3000 + me;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &left, &from);
  MPI_Group_incl(all, 1, &right, &to);
  MPI_Win_post(from, 0, win);
  MPI_Win_start(to, 0, win);
  MPI_Put(&value, 1, MPI_LONG, right, 4, 1, MPI_LONG, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  show("post", words);
  MPI_Barrier(MPI_COMM_WORLD); /* what follows touches the same windows */
  MPI_Group_free(&from);
  MPI_Group_free(&to);
  MPI_Group_free(&all);
}

/* Locks: the target does nothing. */
static void locks(MPI_Win win, long* words) {
  long value = 1 << me, seen = -1, compared = 0, swapped = -1, add = 10;
  MPI_Request request;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Accumulate(&value, 1, MPI_LONG, 0, 5, 1, MPI_LONG, MPI_SUM, win);
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD); /* SMPI 3.32 can deadlock where exclusive locks of a window meet shared ones */
  MPI_Win_lock_all(0, win);
  MPI_Fetch_and_op(&add, &seen, MPI_LONG, right, 6, MPI_SUM, win);
  MPI_Win_flush(right, win);
  MPI_Compare_and_swap(&value, &compared, &swapped, MPI_LONG, right, 7, win);
  MPI_Win_flush_all(win);
  MPI_Rput(&value, 1, MPI_LONG, right, 4, 1, MPI_LONG, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  show("lock", words);
  printf("fetched %ld swapped %ld\n", seen, swapped);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (me + 1) % size;
  left = (me + size - 1) % size;
  long created[WORDS] = {0};
  MPI_Win win;
  MPI_Win_create(created, sizeof created, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  fences(win, created);
  neighbours(win, created);
  locks(win, created);
  MPI_Win_free(&win);

  long* allocated;
  MPI_Win_allocate(WORDS * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win);
  for (int i = 0; i < WORDS; ++i) allocated[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  fences(win, allocated);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
