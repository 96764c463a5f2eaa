// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in file_params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/monitors/tau/file_params.hpp"

namespace hypermon {

constexpr auto fields_of(const TauFilesParams*) {
  using P = TauFilesParams;
  return fields(
      Field{"folder", &P::folder, any_value(), "", "On the shared file system (nfs.place): where profiles are.",
            "chosen"},
      Field{
          "consumer", &P::consumer,
          "Who reads the profiles while the program runs, by polling. lists: it opens the directory, which asks the "
          "server, and looks at what is in it. stats: it asks for each file's attributes, which its computer believes "
          "for nfs.attributes_s.",
          "TAU sec. 4: a client polls for new data; chosen: by listing"},
      Field{"place", &P::place, some<Place::Kind::host, Place::Kind::beside, Place::Kind::node>,
            "The consumer's computer.", "chosen"},
      Field{"number", &P::number, range(0, 4095), "", "Which of these, from 0 on.", "chosen"},
      Field{"period_ms", &P::period_ms, range(0.001, 1e7),
            "From one look to the next; a look that takes longer is followed by the next at once.",
            "TAU sec. 4: a fixed 1 Hz sampling"},
      Field{"profile_us", &P::profile_us, range(0, 1e6), "CPU time of the consumer for a profile that it reads.",
            "chosen"},
      Field{"fixed_dump_ms", &P::fixed_dump_ms, range(0, 1e6),
            "If above 0: every dump of every process takes this long, and no profile leaves: what the run would be if "
            "all took the same time.",
            "chosen: off"});
}
static_assert(all_members_described<TauFilesParams>());

} // namespace hypermon
