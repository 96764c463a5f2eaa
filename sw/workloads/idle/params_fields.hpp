// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/idle/params.hpp"

namespace hypermon {

constexpr auto fields_of(const IdleParams*) {
  return fields(
      Field{"duration_s", &IdleParams::duration_s, range(1e-6, 1e6), "For so long the nodes idle.", "chosen"});
}
static_assert(all_members_described<IdleParams>());

} // namespace hypermon
