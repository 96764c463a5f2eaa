/* SPDX-License-Identifier: BSD-3-Clause */
/* How often the planets go around the Sun in some YEARS: planets [YEARS [STEPS]]. Each rank moves some of them, and all
 * ranks get to know where all are after each step. Kepler's third law is the answer: years / distance^(3/2), but for
 * what the planets pull at each other. Reads planets.txt, writes orbits.txt. */
#include "bodies.h"
#include "gravity.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double angle(const Body* planet, const Body* sun) {
  return atan2(planet->x[1] - sun->x[1], planet->x[0] - sun->x[0]);
}

int main(int argc, char** argv) {
  const double years = argc > 1 ? atof(argv[1]) : 1;
  const int steps = argc > 2 ? atoi(argv[2]) : 500;
  const double dt = years / steps, turn = 2 * acos(-1.0);
  int rank, ranks, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  Body bodies[MOST_BODIES];
  if (rank == 0 && (n = read_bodies("planets.txt", bodies)) < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(bodies, n * (int)sizeof(Body), MPI_BYTE, 0, MPI_COMM_WORLD);

  int* counts = malloc(ranks * sizeof *counts);
  int* starts = malloc(ranks * sizeof *starts);
  for (int r = 0; r < ranks; ++r) {
    starts[r] = n * r / ranks * (int)sizeof(Body);
    counts[r] = n * (r + 1) / ranks * (int)sizeof(Body) - starts[r];
  }
  const int first = n * rank / ranks, last = n * (rank + 1) / ranks;
  const double before = energy(bodies, n);
  double turns[MOST_BODIES] = {0}, was[MOST_BODIES] = {0}, kepler[MOST_BODIES];
  for (int i = 1; i < n; ++i) kepler[i] = years / pow(bodies[i].x[0], 1.5);

  for (int step = 0; step < steps; ++step) { /* leapfrog */
    pull(bodies, n, first, last, step == 0 ? dt / 2 : dt);
    for (int i = first; i < last; ++i)
      for (int k = 0; k < 2; ++k) bodies[i].x[k] += dt * bodies[i].v[k];
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bodies, counts, starts, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 1; i < n; ++i) {
      const double now = angle(&bodies[i], &bodies[0]);
      turns[i] += remainder(now - was[i], turn) / turn;
      was[i] = now;
    }
  }
  pull(bodies, n, first, last, dt / 2);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bodies, counts, starts, MPI_BYTE, MPI_COMM_WORLD);

  if (rank == 0) {
    FILE* out = fopen("orbits.txt", "w");
    if (out == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 1; i < n; ++i) fprintf(out, "%-8s %8.4f turns, Kepler %8.4f\n", bodies[i].name, turns[i], kepler[i]);
    fclose(out);
    printf("%d bodies, %g years; relative error of the energy: %.1e\n", n, years, energy(bodies, n) / before - 1);
  }
  free(starts);
  free(counts);
  MPI_Finalize();
  return 0;
}
