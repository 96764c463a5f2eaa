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
            "Memory of a node for working sets: the program's (hypermon_working_set) and competitors' "
            "(competitor.memory_mb). 0: not modelled.",
            "chosen"},
      Field{"page_bytes", &P::page_bytes, range(512, 1 << 30), "A page.", "recalled: 4 KiB on x86"},
      Field{"sweep_mb_per_s", &P::sweep_mb_per_s, range(0, 1e6), "MB/s",
            "So much of its working set a process goes through for a second of its CPU time: what of it is not in "
            "memory is read from disk.",
            "chosen: Cholesky goes through 33 MB for each of 157 panels in 831 s, and its panels besides"},
      Field{"read_ms", &P::read_ms, range(0, 1e6), "For so long a process waits for a page from disk.",
            "chosen: a seek and half a turn"},
      Field{"touch_us", &P::touch_us, range(0, 1e6), "CPU time of a page that is touched for the first time.",
            "chosen: a trap and 4 KiB of zeros"},
      Field{"stretch_ms", &P::stretch_ms, range(0.001, 1e6),
            "CPU time after which a process that computes waits for the pages that it missed meanwhile.", "chosen"});
}
static_assert(all_members_described<MemoryParams>());

} // namespace hypermon
