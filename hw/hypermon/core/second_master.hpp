// SPDX-License-Identifier: BSD-3-Clause
// A second master of the PBX: what is said of it.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Who has the bus next, of those who wait.
enum class PbxArbitration : std::uint8_t { round_robin, drain_first, second_first };
constexpr auto words_of(PbxArbitration) { return words("round_robin", "drain_first", "second_first"); }

struct SecondMasterParams {
  std::int64_t words = 0;
  WholeNanoseconds period_ns = 1000000;
  PbxArbitration arbitration = PbxArbitration::round_robin;
  std::int64_t seed = 1;
};

} // namespace hypermon
