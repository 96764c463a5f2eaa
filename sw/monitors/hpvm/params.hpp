// Parameters of HPVM's monitor.
#pragma once
#include <cstdint>
#include <string>

namespace hypermon {

/// Who asks which nodes for what, when, and what that costs.
struct HpvmParams {
  std::string counters = "host mpi_collectives";
  std::string nodes = "all";
  std::string processes = "all";
  double interval_s = 1;
  std::string schedule;
  std::string too_slow = "refuse";
  std::string way = "registry";
  std::int64_t threads = 1;
  std::string monitor_node;
  std::string network;
  double query_us = 200;
  double counter_us = 5;
  double pdh_us = 100;
  std::int64_t request_bytes = 200;
  std::int64_t reply_bytes = 100;
  std::int64_t counter_bytes = 300;
};

/// The global clock.
struct HpvmClockParams {
  std::int64_t probes = 8;
  std::string when = "both";
  std::int64_t probe_bytes = 64;
  double read_us = 2;
  double min_us = 60;
  double drift_ppm = 100;
};

} // namespace hypermon
