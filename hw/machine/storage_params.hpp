// SPDX-License-Identifier: BSD-3-Clause
// Parameters of file servers and their disks (shared/facts/hdtrace.md carries the sources in full).
#pragma once
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

} // namespace hypermon
