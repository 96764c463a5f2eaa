/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat in a rod: u_t = u_xx on [0, 1], cold ends, u(x, 0) = sin(pi x); the answer is known: u = exp(-pi^2 t) sin(pi x).
 * The rod's CELLS cells are dealt out in strips; every step takes one cell from each neighbour. */
#include <hypermon.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CELL_NS 12000.0 /* on the simulated CPU: about 6 operations of 2 us */

int main(int argc, char** argv) {
  const double pi = acos(-1.0);
  const int cells = argc > 1 ? atoi(argv[1]) : 100;
  const int steps = argc > 2 ? atoi(argv[2]) : 200;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (cells < ranks || steps < 1) {
    if (rank == 0) fprintf(stderr, "heat: %d cells and %d steps: too few for %d ranks\n", cells, steps, ranks);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  const int first = cells * rank / ranks, mine = cells * (rank + 1) / ranks - first;
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  const double dx = 1.0 / (cells + 1), dt = 0.4 * dx * dx;
  double* u = calloc(mine + 2, sizeof *u); /* mine, and a neighbour's at each end */
  double* next = calloc(mine + 2, sizeof *next);
  for (int i = 1; i <= mine; ++i) u[i] = sin(pi * dx * (first + i));

  for (int step = 0; step < steps; ++step) {
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[mine + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[mine], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i <= mine; ++i) next[i] = u[i] + 0.4 * (u[i - 1] - 2 * u[i] + u[i + 1]);
    hypermon_charge(mine, CELL_NS); /* the simulated CPU was busy for so long */
    double* swap = u;
    u = next, next = swap;
  }

  double worst = 0, all = 0;
  for (int i = 1; i <= mine; ++i) {
    const double wrong = fabs(u[i] - exp(-pi * pi * steps * dt) * sin(pi * dx * (first + i)));
    if (wrong > worst) worst = wrong;
  }
  MPI_Reduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("t = %.5f, error %.1e\n", steps * dt, all);
  printf("rank %d had cells %d to %d\n", rank, first, first + mine - 1);
  free(u);
  free(next);
  MPI_Finalize();
  return rank == 0 && all > 1e-4; /* dx^2 times less than 1 */
}
