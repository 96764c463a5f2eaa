/* SPDX-License-Identifier: BSD-3-Clause */
#include "ends.h"
#ifndef ANSWER
#error "no ANSWER"
#endif
int answer(void) { return ANSWER; }
