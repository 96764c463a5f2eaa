/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies in a plane. Units: the Sun's mass, the Earth's distance from it (AU), years. */
#ifndef BODIES_H
#define BODIES_H

enum { MOST_BODIES = 64 };

typedef struct {
  char name[16];
  double mass, x[2], v[2];
} Body;

/* Lines of name, mass and distance from the first body, around which the others start on circles, all on one side.
 * Returns how many there are, or -1 after a message. */
int read_bodies(const char* file, Body* bodies);

#endif
