/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with -finstrument-functions: static and recursive functions, and some that longjmp leaves. */
#include <hypermon.h>
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;

static void work(int us) { hypermon_charge(us, 1000); }

static int deep(int levels) {
  work(10);
  return levels == 0 ? 0 : 1 + deep(levels - 1);
}

static void jumps(int levels) {
  work(1);
  if (levels > 0) jumps(levels - 1);
  longjmp(back, 1);
}

static void guarded(void) {
  if (setjmp(back) == 0) jumps(2);
}

static void bracketed(void) {
  hypermon_timer_start("by hand");
  work(5);
  hypermon_timer_stop("by hand");
}

static void leaves(void) { exit(0); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  deep(3);
  for (int i = 0; i < 2; ++i) guarded();
  work(2);
  bracketed();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  leaves();
}
