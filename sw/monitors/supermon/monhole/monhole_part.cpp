// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/monhole/monhole_part.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/monitors/supermon/monhole/params.hpp"

namespace hypermon::supermon {
SectionKind monhole_section() {
  return section<MonholeParams>(
      "monhole", "Buffer in each mon for data that processes of its node write, until clients read them.");
}

void check_monhole(const Spec& spec) {
  const auto& params = spec.get<MonholeParams>();
  if (params.policy == BufferPolicy::fill_k_read && params.entries == 0)
    throw UserError("monhole.policy = fill_k_read: needs its K, monhole.entries = 1 or more");
}

} // namespace hypermon::supermon
