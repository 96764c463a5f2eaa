/* SPDX-License-Identifier: BSD-3-Clause */
#include "gravity.h"

#include <math.h>

void pull(Body* bodies, int n, int first, int last, double dt) {
  for (int i = first; i < last; ++i)
    for (int j = 0; j < n; ++j) {
      if (i == j) continue;
      const double dx = bodies[j].x[0] - bodies[i].x[0], dy = bodies[j].x[1] - bodies[i].x[1];
      const double r2 = dx * dx + dy * dy, strength = GRAVITY * bodies[j].mass / (r2 * sqrt(r2));
      bodies[i].v[0] += dt * strength * dx;
      bodies[i].v[1] += dt * strength * dy;
    }
}

double energy(const Body* bodies, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += 0.5 * bodies[i].mass * (bodies[i].v[0] * bodies[i].v[0] + bodies[i].v[1] * bodies[i].v[1]);
    for (int j = 0; j < i; ++j)
      sum -= GRAVITY * bodies[i].mass * bodies[j].mass /
             hypot(bodies[j].x[0] - bodies[i].x[0], bodies[j].x[1] - bodies[i].x[1]);
  }
  return sum;
}
