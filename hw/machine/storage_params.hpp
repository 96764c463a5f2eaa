// SPDX-License-Identifier: BSD-3-Clause
// Parameters of file servers and their disks (docs/reference/facts.md has the sources in full).
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "hw/core/disk.hpp"
#include "hw/machine/site.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// A file server; there are none by default.
struct ServerParams {
  std::int64_t count = 0;
  std::string name = "files";
  std::string network = "program";
  Place::Kind place = Place::Kind::host;
  std::int64_t number = 0;
  Microseconds request_us = 0;
  Bytes request_bytes = 28;
  Bytes reply_bytes = 15;
  WholeMegabytes extent_mb = 64;
};

struct DiskParams {
  double mb_per_s = 104.8576;
  Milliseconds seek_ms = 10;
  Milliseconds full_seek_ms = 0;
  Milliseconds track_to_track_ms = 1;
  Megabytes near_mb = 5.24288;
  double turns_per_min = 7200;
  DiskGeometry::Rotation rotation = DiskGeometry::Rotation::half_turn;
  Megabytes capacity_mb = 1000000;
};

constexpr auto fields_of(const ServerParams*) {
  using P = ServerParams;
  return fields(
      Field{"count", &P::count, range(0, 64), "servers", "File servers, each with a disk (section disk).", "chosen"}
          .same_of_all(),
      Field{"name", &P::name, any_value(), "",
            "What monitors call it; of several the second one is called files1, and so on, unless it has a name of its "
            "own.",
            "chosen"},
      Field{"network", &P::network, any_value(), "", "It is reached over the network of this name.", "chosen"},
      Field{"place", &P::place, some<Place::Kind::host, Place::Kind::beside, Place::Kind::node>,
            "The computer that it runs on: the machine's host, one beside the machine, or a node.", "chosen"},
      Field{"number", &P::number, range(0, 4095), "", "Which of these, from 0 on.", "chosen"},
      Field{"request_us", &P::request_us, range(0, 1e9),
            "The server's own time for a request, one after the other, before the disk gets it.",
            "facts (hdtrace): servers cost no CPU"},
      Field{"request_bytes", &P::request_bytes, range(0, 1e6), "A request without its data.",
            "facts (hdtrace): 20 B and 8 B a region"},
      Field{"reply_bytes", &P::reply_bytes, range(0, 1e6), "A reply without its data.", "facts (hdtrace): 15 B"},
      Field{"extent_mb", &P::extent_mb, range(1, 1e6),
            "A file grows by contiguous pieces of this size, those of all files in the order in which they are taken.",
            "chosen"});
}
static_assert(all_members_described<ServerParams>());

constexpr auto fields_of(const DiskParams*) {
  using P = DiskParams;
  constexpr const char* paper = "facts (hdtrace): the paper's simulator";
  return fields(
      Field{"mb_per_s", &P::mb_per_s, range(0.001, 1e5), "MB/s", "What passes under the head.",
            "facts (hdtrace): 100 MiB/s"},
      Field{"seek_ms", &P::seek_ms, range(0, 1e4),
            "An average move of the arm: every one but those from track to track, and the first.", paper},
      Field{"full_seek_ms", &P::full_seek_ms, range(0, 1e4),
            "If above 0: a move over the whole disk; then one takes track_to_track_ms, and the rest of this in "
            "proportion to the square root of the distance.",
            "chosen: off"},
      Field{"track_to_track_ms", &P::track_to_track_ms, range(0, 1e4),
            "A move of less than near_mb that does not continue where the last operation ended.", paper},
      Field{"near_mb", &P::near_mb, range(0, 1e6), "How far such a move goes.", "facts (hdtrace): 5 MiB"},
      Field{"turns_per_min", &P::turns_per_min, range(1, 1e6), "1/min", "Of the platters.", paper},
      Field{"rotation", &P::rotation,
            "none: no rotational latency. half_turn: half a turn, unless an operation continues where the last one "
            "ended. position: until the bytes come round, by the date alone.",
            paper},
      Field{"capacity_mb", &P::capacity_mb, range(1, 1e7), "Of the disk.", "chosen"});
}
static_assert(all_members_described<DiskParams>());

} // namespace hypermon
