// SPDX-License-Identifier: BSD-3-Clause
// Workload idle: no program. It shows what monitors of a whole system cost when it does nothing.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

namespace hypermon {

struct IdleParams {
  Seconds duration_s = 1;
};

constexpr auto fields_of(const IdleParams*) {
  return fields(Field{"duration_s", &IdleParams::duration_s, range(1e-6, 1e6),
                      "Length of the run, during which the nodes are idle.", "chosen"});
}
static_assert(all_members_described<IdleParams>());

} // namespace hypermon
