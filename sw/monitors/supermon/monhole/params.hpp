// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the buffer behind mon's monhole.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "sw/monitors/supermon/core/monhole_buffer.hpp"

#include <cstdint>

namespace hypermon {

struct MonholeParams {
  supermon::BufferPolicy policy = supermon::BufferPolicy::replace_read;
  std::int64_t entries = 0;
  Megabytes memory_mb = 64;
};

constexpr auto fields_of(const MonholeParams*) {
  using P = MonholeParams;
  return fields(
      Field{"policy", &P::policy,
            "replace_read: a write replaces what its source wrote before, a read leaves it. fill_drain: writes append, "
            "a read empties. replace_drain: a write replaces, a read empties. fill_k_read: writes append to the last "
            "monhole.entries of their source, a read leaves them.",
            "TAU over Supermon sec. 3.3; REPLACE-READ is what the monhole had at first"},
      Field{"entries", &P::entries, range(0, 1 << 20), "entries",
            "K of fill_k_read, of each source: the write behind the K-th overwrites the oldest. Must be given there; "
            "the other policies have no use for it.",
            "TAU over Supermon sec. 3.3"},
      Field{"memory_mb", &P::memory_mb, range(0, 1e6),
            "That what is written may take in each mon, of all its sources: a write that does not fit is refused, and "
            "what is there stays. 0: no limit.",
            "chosen: the paper warns of buffers that grow without a limit"});
}
static_assert(all_members_described<MonholeParams>());

} // namespace hypermon
