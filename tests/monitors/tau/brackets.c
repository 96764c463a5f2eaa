/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank r computes in nested timers and sends to its neighbour. Arguments: iterations, timers within each, nanoseconds
 * that the innermost computes, what goes wrong: 0 nothing, 1 a timer is left running. */
#include <hypermon.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, ranks, i, n;
  int iterations = argc > 1 ? atoi(argv[1]) : 3;
  int timers = argc > 2 ? atoi(argv[2]) : 5;
  double ns = argc > 3 ? atof(argv[3]) : 10000.0;
  int wrong = argc > 4 ? atoi(argv[4]) : 0;
  char out[100] = {0}, in[100];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  hypermon_timer_start("main");
  for (i = 0; i < iterations; ++i) {
    hypermon_timer_start("iteration");
    for (n = 0; n < timers; ++n) {
      hypermon_timer_start("kernel");
      hypermon_charge(1, ns);
      hypermon_timer_stop("kernel");
    }
    if (ranks > 1)
      MPI_Sendrecv(out, 100, MPI_CHAR, (rank + 1) % ranks, 1, in, 100, MPI_CHAR, (rank + ranks - 1) % ranks, 1,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hypermon_timer_stop("iteration");
    hypermon_profile_dump();
  }
  if (wrong != 1) hypermon_timer_stop("main");
  MPI_Finalize();
  return 0;
}
