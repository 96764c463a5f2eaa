/* SPDX-License-Identifier: BSD-3-Clause */
/* RMI, the interface of SCMS/RMS's clients, for a client of your own: a shared object that asks the agents.
 *
 *   #include <hypermon_rmi.h>
 *
 *   int hypermon_rmi_client(const struct hypermon_rmi* rmi) {
 *     uint32_t nodes[64];
 *     size_t count = rmi->live_nodes(rmi, nodes, 64);
 *     uint64_t load;
 *     struct hypermon_rmi_value values[64];
 *     if (!rmi->resource(rmi, "hardware.load", &load)) return 1;
 *     rmi->get(rmi, nodes, count, &load, 1, HYPERMON_RMI_SYNCHRONOUS, values);
 *     ...
 *     rmi->wait(rmi, 0.5);
 *     return 0;
 *   }
 *
 *   hypermon run ... --set scms_client.kind=program --set scms_client.program=client.c
 *
 * Calls take simulated time: they return when the simulated answer is there; the client's own code takes none. Standard
 * output is the worker's: use rmi->say. What throws an exception or raises a signal ends the run with the error. Plain
 * C and C++, no library to link. */
#ifndef HYPERMON_RMI_H
#define HYPERMON_RMI_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers): C */

#define HYPERMON_RMI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

enum hypermon_rmi_mode { HYPERMON_RMI_ASYNCHRONOUS, HYPERMON_RMI_SYNCHRONOUS };

/* State of a value. */
enum hypermon_rmi_state {
  HYPERMON_RMI_OK,
  HYPERMON_RMI_MISSING, /* its node is dead, or gave no answer in time */
  HYPERMON_RMI_OUTSIDE, /* its node is not below the SMA that the client is attached to */
  HYPERMON_RMI_UNKNOWN, /* no plug-in that is loaded there provides it */
  HYPERMON_RMI_ERROR,   /* its plug-in crashed, or could not be loaded */
  HYPERMON_RMI_UNCACHED /* nobody pushes it, or none has come yet */
};

struct hypermon_rmi_value {
  int64_t value;
  int64_t taken_ps; /* when the plug-in read it */
  uint32_t state;   /* enum hypermon_rmi_state */
  uint32_t bytes;
};

struct hypermon_rmi {
  uint32_t version; /* HYPERMON_RMI_VERSION */
  uint32_t nodes;   /* of the machine */
  /* Simulated time in picoseconds since the run's begin. */
  int64_t (*now_ps)(const struct hypermon_rmi* rmi);
  void (*wait)(const struct hypermon_rmi* rmi, double seconds);
  /* Writes at most `room` numbers of live nodes; returns the number of live nodes. */
  size_t (*live_nodes)(const struct hypermon_rmi* rmi, uint32_t* nodes, size_t room);
  /* The resource with that name, "plug-in.function"; 0 if no plug-in provides it. */
  int (*resource)(const struct hypermon_rmi* rmi, const char* name, uint64_t* resource);
  /* values[node * resource_count + resource], in the order of `nodes`, which ascend without repeats. */
  void (*get)(const struct hypermon_rmi* rmi, const uint32_t* nodes, size_t node_count, const uint64_t* resources,
              size_t resource_count, enum hypermon_rmi_mode mode, struct hypermon_rmi_value* values);
  /* Loads a plug-in, by name, on these nodes; states[node] is OK, ERROR or MISSING. Returns 0 if there is no such
     plug-in. */
  int (*load)(const struct hypermon_rmi* rmi, const char* plugin, const uint32_t* nodes, size_t node_count,
              uint32_t* states);
  int (*unload)(const struct hypermon_rmi* rmi, const char* plugin, const uint32_t* nodes, size_t node_count,
                uint32_t* states);
  /* Writes a line with the current time into client.txt of the run directory. */
  void (*say)(const struct hypermon_rmi* rmi, const char* text);
};

/* Defined by the object: the client. Its return value is in the result. */
int hypermon_rmi_client(const struct hypermon_rmi* rmi);

#ifdef __cplusplus
}
#endif

#endif
