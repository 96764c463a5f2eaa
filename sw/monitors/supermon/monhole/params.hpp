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
  return fields(Field{"policy", &P::policy,
                      "Policy of the buffer behind the monhole, each node daemon's inlet. replace_read: a write "
                      "replaces its source's entry, a read keeps it. fill_drain: writes append, a read empties. "
                      "replace_drain: a write replaces, a read empties. fill_k_read: the last monhole.entries writes "
                      "of each source stay, a read keeps them.",
                      "TAU over Supermon sec. 3.3; REPLACE-READ is what the monhole had at first"},
                Field{"entries", &P::entries, range(0, 1 << 20), "entries",
                      "Number of entries per source that monhole.policy = fill_k_read keeps; a further write "
                      "overwrites the oldest. It is required there and has no effect with other policies.",
                      "TAU over Supermon sec. 3.3"},
                Field{"memory_mb", &P::memory_mb, range(0, 1e6),
                      "Capacity of the monhole's buffer in each node daemon, over all sources. A write that does not "
                      "fit is refused, and older entries stay. 0: no limit.",
                      "chosen: the paper warns of buffers that grow without a limit"});
}
static_assert(all_members_described<MonholeParams>());

} // namespace hypermon
