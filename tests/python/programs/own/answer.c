#include "ends.h"
#ifndef ANSWER
#error "no ANSWER"
#endif
int answer(void) { return ANSWER; }
