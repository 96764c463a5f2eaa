// SPDX-License-Identifier: BSD-3-Clause
// A second master of the PBX: what is said of it.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

constexpr auto fields_of(const SecondMasterParams*) {
  using P = SecondMasterParams;
  return fields(
      Field{"words", &P::words, range(0, 4096), "words",
            "Of a burst, for which it has the bus without a break; 0: there is no second master. Needs "
            "drain.level = words.",
            "chosen: the prototype's I/O node has a SCSI card on the same bus (facts)"},
      Field{"period_ns", &P::period_ns, range(1, 1e10),
            "From one burst to the next; one that is due while the one before has not ended waits for it.", "chosen"},
      Field{"arbitration", &P::arbitration,
            "Who has the bus next, of those who wait when it becomes free: in turn, or always the one.", "chosen"},
      Field{"seed", &P::seed, range(0, 2147483647), "",
            "Seeds the time of the first burst on each board's bus: within the first period.", "chosen"});
}
static_assert(all_members_described<SecondMasterParams>());

} // namespace hypermon
