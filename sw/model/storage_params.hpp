// Parameters of file servers and their disks (shared/facts/hdtrace.md carries the sources in full).
#pragma once
#include <cstdint>
#include <string>

namespace hypermon {

/// A file server; there are none by default.
struct ServerParams {
  std::int64_t count = 0;
  std::string name = "files";
  std::string network = "program";
  std::string place = "host";
  std::int64_t number = 0;
  double request_us = 0;
  std::int64_t request_bytes = 28;
  std::int64_t reply_bytes = 15;
  std::int64_t extent_mb = 64;
};

struct DiskParams {
  double mb_per_s = 104.8576;
  double seek_ms = 10;
  double full_seek_ms = 0;
  double track_to_track_ms = 1;
  double near_mb = 5.24288;
  double turns_per_min = 7200;
  std::string rotation = "half_turn";
  double capacity_mb = 1000000;
};

} // namespace hypermon
