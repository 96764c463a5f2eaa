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

/// A file server. None by default.
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
      Field{"count", &P::count, range(0, 64), "servers", "Number of file servers, each with one disk (section disk).",
            "chosen"}
          .same_of_all(),
      Field{"name", &P::name, any_value(), "",
            "Name by which monitors refer to the file server. The second server is called files1, and so on, unless it "
            "has its own name.",
            "chosen"},
      Field{"network", &P::network, any_value(), "", "Name of the network over which the file server is reached.",
            "chosen"},
      Field{"place", &P::place, some<Place::Kind::host, Place::Kind::beside, Place::Kind::node>,
            "Computer on which the file server runs. host: the machine's host. beside: a computer beside the machine. "
            "node: a compute node.",
            "chosen"},
      Field{"number", &P::number, range(0, 4095), "",
            "Number, from 0 on, of the node or of the computer beside the machine that the file server runs on.",
            "chosen"},
      Field{"request_us", &P::request_us, range(0, 1e9),
            "Server time of each request before the disk gets it. Requests are served one after the other.",
            "facts (hdtrace): servers cost no CPU"},
      Field{"request_bytes", &P::request_bytes, range(0, 1e6), "Size of a request to the file server without its data.",
            "facts (hdtrace): 20 B and 8 B a region"},
      Field{"reply_bytes", &P::reply_bytes, range(0, 1e6), "Size of a reply of the file server without its data.",
            "facts (hdtrace): 15 B"},
      Field{"extent_mb", &P::extent_mb, range(1, 1e6),
            "Size of the contiguous pieces by which files grow. Pieces of different files lie on the disk in the order "
            "of their allocation.",
            "chosen"});
}
static_assert(all_members_described<ServerParams>());

constexpr auto fields_of(const DiskParams*) {
  using P = DiskParams;
  constexpr const char* paper = "facts (hdtrace): the paper's simulator";
  return fields(
      Field{"mb_per_s", &P::mb_per_s, range(0.001, 1e5), "MB/s", "Transfer rate of a file server's disk.",
            "facts (hdtrace): 100 MiB/s"},
      Field{"seek_ms", &P::seek_ms, range(0, 1e4),
            "Average seek time. It applies to the first operation and to every move that is not from track to track.",
            paper},
      Field{"full_seek_ms", &P::full_seek_ms, range(0, 1e4),
            "Seek time over the whole disk. Above 0, a move takes disk.track_to_track_ms and a share of the rest that "
            "grows with the square root of the distance. 0: seeks take disk.seek_ms.",
            "chosen: off"},
      Field{"track_to_track_ms", &P::track_to_track_ms, range(0, 1e4),
            "Time of a move shorter than disk.near_mb that does not continue where the last operation ended.", paper},
      Field{"near_mb", &P::near_mb, range(0, 1e6),
            "Distance below which a move of the arm takes only disk.track_to_track_ms.", "facts (hdtrace): 5 MiB"},
      Field{"turns_per_min", &P::turns_per_min, range(1, 1e6), "1/min", "Rotational speed of the disk's platters.",
            paper},
      Field{"rotation", &P::rotation,
            "Model of the disk's rotational latency. none: no latency. half_turn: half a turn, unless an operation "
            "continues where the last one ended. position: time until the bytes pass the head, which depends on the "
            "time of the operation.",
            paper},
      Field{"capacity_mb", &P::capacity_mb, range(1, 1e7), "Capacity of a file server's disk.", "chosen"});
}
static_assert(all_members_described<DiskParams>());

} // namespace hypermon
