/* SPDX-License-Identifier: BSD-3-Clause */
#include "bodies.h"
#include "gravity.h"

#include <math.h>
#include <stdio.h>

int read_bodies(const char* file, Body* bodies) {
  FILE* in = fopen(file, "r");
  if (in == NULL) {
    perror(file);
    return -1;
  }
  int n = 0;
  double distance;
  while (n < MOST_BODIES && fscanf(in, " #%*[^\n]") != EOF &&
         fscanf(in, "%15s %lf %lf", bodies[n].name, &bodies[n].mass, &distance) == 3) {
    Body* b = &bodies[n++];
    b->x[0] = distance;
    b->x[1] = b->v[0] = b->v[1] = 0;
    if (distance > 0) b->v[1] = sqrt(GRAVITY * bodies[0].mass / distance);
  }
  fclose(in);
  if (n < 2) fprintf(stderr, "%s: two bodies at least\n", file);
  return n < 2 ? -1 : n;
}
