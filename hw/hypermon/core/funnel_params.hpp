// Parameters of the plain funnel. Defaults are those of the HYPERMON prototype, where it has the part.
#pragma once
#include <cstdint>
#include <string>

namespace hypermon {

struct FunnelParams {
  std::int64_t sources = 16;
  std::int64_t source_fifo_entries = 64;
  std::string source_full = "drop";
  std::string arbiter = "round_robin";
  std::int64_t arbiter_cycles = 1;
  std::int64_t fifo_words = 3276;
  std::string fifo_full = "drop";
  std::int64_t timestamp_ns = 800;
  std::int64_t timestamp_bits = 32;
  std::int64_t id_bits = 4;
  bool packed = false;
};

} // namespace hypermon
