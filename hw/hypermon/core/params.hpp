// Parameters of the capture hardware (spec/hypermon.md, sections 1 to 5). Defaults are the prototype.
#pragma once
#include <cstdint>
#include <string>

namespace hypermon {

/// A node's performance port and the loop that writes to it.
struct PortParams {
  double nibble_cost_ns = 8850;
  std::int64_t delay = 20;
  double delay_iteration_ns = 864.5;
  std::int64_t width_bits = 4;
};

/// Event regeneration board.
struct ErbParams {
  std::int64_t propagation_ns = 0;
};

/// Event capture board.
struct EcbParams {
  std::int64_t window_ns = 800;
  std::int64_t inputs = 16;
  std::int64_t node_fifo_entries = 64;
  std::int64_t vector_fifo_entries = 64;
  std::int64_t frame_fifo_frames = 1024;
  std::int64_t builder_cycles = 8;
  std::int64_t accumulate_bits = 0;
  std::string timestamp_policy = "every";
  std::int64_t timestamp_bits = 32;
  bool wrap_frames = false;
  std::int64_t reset_skew_ns = 0;
  std::string node_fifo_full = "drop";
  std::string vector_fifo_full = "drop";
  std::string frame_fifo_full = "drop";
};

/// Bus between the capture board and the I/O node.
struct PbxParams {
  std::int64_t word_ns = 800;
  std::string module{};
};

/// The program in the I/O node that reads frames.
struct ReaderParams {
  std::string kind = "ideal";
  std::int64_t group_ns = 0;
  std::int64_t frame_ns = 0;
  std::int64_t stall_ns = 0;
  std::int64_t stall_every_frames = 0;
};

} // namespace hypermon
