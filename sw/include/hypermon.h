/* SPDX-License-Identifier: BSD-3-Clause */
/* What an MPI program tells the simulator about its own work.
 *
 *   #include <hypermon.h>
 *   hypermon_charge(n * n, 14597.0);   // n^2 multiply-adds of 14.597 us each, done here
 *
 * A run never measures host time (results would differ from run to run): a program charges the work that it has
 * just done from an operation count, unless program.compute says that its time is known otherwise. The simulator
 * defines hypermon_compute; anywhere else (plain smpirun, a real MPI) the symbol is absent and hypermon_charge does
 * nothing. Plain C and C++, no library to link. */
#ifndef HYPERMON_H
#define HYPERMON_H

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps the calling rank's CPU busy for operations * ns_per_operation nanoseconds of its own crystal. */
void hypermon_compute(double operations, double ns_per_operation) __attribute__((weak));

/* Emits an event of the program's own (catalogue: user) with a value of one byte. */
void hypermon_event(unsigned char value) __attribute__((weak));

/* Emits one of 16 kinds of events of the program's own (catalogue: user.0 to user.15) with up to three numbers. */
void hypermon_emit(unsigned kind, unsigned a, unsigned b, unsigned c) __attribute__((weak));

/* Sets, or adds to, a counter of the program's own, which a monitor may read; each rank has its own. */
void hypermon_set_counter(const char* name, long long value) __attribute__((weak));
void hypermon_add_counter(const char* name, long long value) __attribute__((weak));

/* Brackets a routine, whose calls and times a monitor may read. Routines nest: what was started last stops first. */
void hypermon_start_timer(const char* routine) __attribute__((weak));
void hypermon_stop_timer(const char* routine) __attribute__((weak));

/* A dump point: a monitor that keeps profiles of the routines may hand over the calling rank's now. */
void hypermon_dump_profile(void) __attribute__((weak));

/* Says on how many bytes the calling rank works from now on: its working set. Where the nodes' memory is modelled
 * (memory.node_mb), what has no room there is read from disk again and again. */
void hypermon_set_working_set(long long bytes) __attribute__((weak));

#ifdef __cplusplus
}
#endif

/* Functions that -finstrument-functions ignores in programs compiled with it. */
#define HYPERMON_INLINE static inline __attribute__((no_instrument_function))

HYPERMON_INLINE void hypermon_working_set(long long bytes) {
  if (hypermon_set_working_set) hypermon_set_working_set(bytes);
}

HYPERMON_INLINE void hypermon_counter_set(const char* name, long long value) {
  if (hypermon_set_counter) hypermon_set_counter(name, value);
}

HYPERMON_INLINE void hypermon_counter_add(const char* name, long long value) {
  if (hypermon_add_counter) hypermon_add_counter(name, value);
}

HYPERMON_INLINE void hypermon_timer_start(const char* routine) {
  if (hypermon_start_timer) hypermon_start_timer(routine);
}

HYPERMON_INLINE void hypermon_timer_stop(const char* routine) {
  if (hypermon_stop_timer) hypermon_stop_timer(routine);
}

HYPERMON_INLINE void hypermon_profile_dump(void) {
  if (hypermon_dump_profile) hypermon_dump_profile();
}

HYPERMON_INLINE void hypermon_mark(unsigned char value) {
  if (hypermon_event) hypermon_event(value);
}

HYPERMON_INLINE void hypermon_note(unsigned kind, unsigned a, unsigned b, unsigned c) {
  if (hypermon_emit) hypermon_emit(kind, a, b, c);
}

HYPERMON_INLINE void hypermon_charge(double operations, double ns_per_operation) {
  if (hypermon_compute) hypermon_compute(operations, ns_per_operation);
}

#endif
