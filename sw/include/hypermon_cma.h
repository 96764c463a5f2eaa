/* SPDX-License-Identifier: BSD-3-Clause */
/* A plug-in of SCMS/RMS's agents: what a CMA reads on its node, as a shared object of the user's own.
 *
 *   #include <hypermon_cma.h>
 *
 *   static int64_t read_it(const struct hypermon_cma* cma, void* state, uint32_t function) {
 *     return cma->counter(cma, function == 1 ? "cpu.busy" : "cpu.kernel") / 1000;
 *   }
 *   static const struct hypermon_cma_function functions[] = {{1, "busy_ns", 8}, {2, "kernel_ns", 8}};
 *   static const struct hypermon_cma_plugin mine = {
 *       HYPERMON_CMA_VERSION, 100, "mine", "cpu.busy cpu.kernel", functions, 2, 0, 0, read_it};
 *   const struct hypermon_cma_plugin* hypermon_cma_describe(void) { return &mine; }
 *
 *   hypermon run ... --set scms_plugins.own=mine.c --set scms_client.resources="mine.busy_ns"
 *
 * One object serves the CMAs of all nodes: what a node's plug-in remembers belongs into its state, not into variables
 * of the object. Its functions are called one at a time, at the simulated instant at which the CMA reads; they take no
 * simulated time but that of scms.value_us, and must not wait. What throws an exception or raises a signal has crashed:
 * an exception ends the plug-in on that node, a signal its CMA. Plain C and C++, no library to link. */
#ifndef HYPERMON_CMA_H
#define HYPERMON_CMA_H

#include <stdint.h> /* NOLINT(modernize-deprecated-headers): C */

#define HYPERMON_CMA_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* The functions that a CMA offers to a plug-in on its node. */
struct hypermon_cma {
  uint32_t node;  /* its number */
  uint32_t nodes; /* of the machine */
  /* Simulated time in picoseconds since the run's begin. */
  int64_t (*now_ps)(const struct hypermon_cma* cma);
  /* A simulated counter (hypermon counters) of the node: the sum over all its items. Only counters that the plug-in
   * has named can be read; others, and those missing in the run, are 0. */
  int64_t (*counter)(const struct hypermon_cma* cma, const char* name);
};

/* A function that clients query: <plug-in's id, function's number>, or by name, "plugin.function". */
struct hypermon_cma_function {
  uint32_t number;  /* 1 to 65535 */
  const char* name; /* letters, digits and _ */
  uint32_t bytes;   /* of a value on the wire; more than 8: a block, of which the first number is told */
};

struct hypermon_cma_plugin {
  uint32_t version;     /* HYPERMON_CMA_VERSION */
  uint32_t id;          /* 32 bits; 1 to 99 are hypermon's own */
  const char* name;     /* letters, digits and _ */
  const char* counters; /* that it reads, blanks between; null: none */
  const struct hypermon_cma_function* functions;
  uint32_t function_count;
  /* Called on one node before anything is read there. Returns 0, or any other value if it cannot be loaded. May be
     null. */
  int (*load)(const struct hypermon_cma* cma, void** state);
  /* Called on the node at the end. May be null. It is not called if the plug-in or its CMA has crashed there. */
  void (*unload)(const struct hypermon_cma* cma, void* state);
  /* The value of a function now. */
  int64_t (*read)(const struct hypermon_cma* cma, void* state, uint32_t function);
};

/* Defined by the object: the plug-in's description. Called once. */
const struct hypermon_cma_plugin* hypermon_cma_describe(void);

#ifdef __cplusplus
}
#endif

#endif
