// SPDX-License-Identifier: BSD-3-Clause
// Parameters of profiles that are exported through files, and of their consumer.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "hw/machine/site.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// How a consumer finds new files.
enum class FileConsumer : std::uint8_t {
  off,
  lists, ///< opens the directory and inspects all entries
  stats, ///< requests the attributes of each file
};
constexpr auto words_of(FileConsumer) { return words("off", "lists", "stats"); }

struct TauFilesParams {
  std::string folder = "profiles";
  FileConsumer consumer = FileConsumer::lists;
  Place::Kind place = Place::Kind::host;
  std::int64_t number = 0;
  Milliseconds period_ms = 1000;
  Microseconds profile_us = 100;
  Milliseconds fixed_dump_ms = 0;
};

constexpr auto fields_of(const TauFilesParams*) {
  using P = TauFilesParams;
  return fields(
      Field{"folder", &P::folder, any_value(), "", "Folder of the profiles on the shared file system (nfs.place).",
            "chosen"},
      Field{"consumer", &P::consumer,
            "Consumer that polls the profiles while the program runs. off: none. lists: it opens the directory, which "
            "queries the server, and examines every entry. stats: it requests each file's attributes, which its "
            "computer caches for nfs.attributes_s.",
            "TAU sec. 4: a client polls for new data; chosen: by listing"},
      Field{"place", &P::place, some<Place::Kind::host, Place::Kind::beside, Place::Kind::node>,
            "Computer that runs the consumer of profiles. host: the machine's host. beside: a computer beside the "
            "machine. node: a compute node.",
            "chosen"},
      Field{"number", &P::number, range(0, 4095), "",
            "Number, from 0 on, of the node or of the computer beside the machine that runs the consumer of profiles.",
            "chosen"},
      Field{"period_ms", &P::period_ms, range(0.001, 1e7),
            "Time from one poll of the consumer to the next. A poll that takes longer is followed by the next at once.",
            "TAU sec. 4: a fixed 1 Hz sampling"},
      Field{"profile_us", &P::profile_us, range(0, 1e6),
            "CPU time of the consumer of TAU's profile files for each profile that it reads.", "chosen"},
      Field{"fixed_dump_ms", &P::fixed_dump_ms, range(0, 1e6),
            "Fixed time of every dump of every process, without writing profiles. It shows the run as if all dumps "
            "took the same time. 0: dumps are written.",
            "chosen: off"});
}
static_assert(all_members_described<TauFilesParams>());

} // namespace hypermon
