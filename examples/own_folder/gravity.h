/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GRAVITY_H
#define GRAVITY_H
#include "bodies.h"

#define GRAVITY 39.47841760435743 /* 4 pi^2: the Earth needs a year */

/* Of bodies first to last - 1, by all others: their speeds change as in the time dt. */
void pull(Body* bodies, int n, int first, int last, double dt);

/* Kinetic and potential, of all bodies: it stays what it is. */
double energy(const Body* bodies, int n);

#endif
