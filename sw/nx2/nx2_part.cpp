// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "sw/mpi/counters_params.hpp"
#include "sw/os/counter_list.hpp"
#include "sw/os/os_params.hpp"

#include <vector>

namespace hypermon {

Part nx2_part() {
  return {.sections = {section<OsParams>("os", "CPU time of NX/2 system calls."),
                       section<CountersParams>("counters", "CPU time of the program's own counters and timers.")},
          .counters = {counter_list::of_kernels, counter_list::of_messages, counter_list::of_memory,
                       counter_list::of_programs}};
}

} // namespace hypermon
