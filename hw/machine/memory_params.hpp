// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the nodes' memory.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

namespace hypermon {

struct MemoryParams {
  Megabytes node_mb = 0;
  Bytes page_bytes = 4096;
  double sweep_mb_per_s = 10;
  Milliseconds read_ms = 10;
  Microseconds touch_us = 2;
  Milliseconds stretch_ms = 10;
};

constexpr auto fields_of(const MemoryParams*) {
  using P = MemoryParams;
  return fields(
      Field{"node_mb", &P::node_mb, range(0, 1e9),
            "Memory of a node for working sets of the program (hypermon_working_set) and of competitors "
            "(competitor.memory_mb). 0: memory is not modelled.",
            "chosen"},
      Field{"page_bytes", &P::page_bytes, range(512, 1 << 30), "Size of a memory page.", "recalled: 4 KiB on x86"},
      Field{"sweep_mb_per_s", &P::sweep_mb_per_s, range(0, 1e6), "MB/s",
            "Part of its working set that a process touches per second of its CPU time. Touched pages that are not in "
            "memory are read from disk.",
            "chosen: Cholesky goes through 33 MB for each of 157 panels in 831 s, and its panels besides"},
      Field{"read_ms", &P::read_ms, range(0, 1e6), "Time for which a process waits for one page from disk.",
            "chosen: a seek and half a turn"},
      Field{"touch_us", &P::touch_us, range(0, 1e6), "CPU time of a page that is touched for the first time.",
            "chosen: a trap and 4 KiB of zeros"},
      Field{"stretch_ms", &P::stretch_ms, range(0.001, 1e6),
            "CPU time after which a computing process waits for the pages that it has missed since the last wait.",
            "chosen"});
}
static_assert(all_members_described<MemoryParams>());

} // namespace hypermon
