// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a second master of the PBX.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Order in which waiting masters get the bus.
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
  return fields(Field{"words", &P::words, range(0, 4096), "words",
                      "Words of one burst of the second bus master, which keeps the bus until the burst ends. 0: there "
                      "is no second master. Needs ecb.level = transactions or rtl.",
                      "chosen: the prototype's I/O node has a SCSI card on the same bus (facts)"},
                Field{"period_ns", &P::period_ns, range(1, 1e10),
                      "Time from the beginning of one burst of the second bus master to that of the next. A burst that "
                      "is due while another lasts waits for its end.",
                      "chosen"},
                Field{"arbitration", &P::arbitration,
                      "Order in which waiting bus masters get the PBX. round_robin: in turn. drain_first: the drain "
                      "program first. second_first: the second master first.",
                      "chosen"},
                Field{"seed", &P::seed, range(0, 2147483647), "",
                      "Seed of the time of the second master's first burst on each board's bus, which lies within the "
                      "first period.",
                      "chosen"});
}
static_assert(all_members_described<SecondMasterParams>());

} // namespace hypermon
