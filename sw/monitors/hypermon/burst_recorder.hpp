// Records what the nodes wrote to their ports: columns as NumPy files in a folder, from which hypermon.Recording makes
// the recording. Rows are in the order of their first strobes, then of the nodes.
#pragma once
#include "sw/instrumentation/npy_file.hpp"
#include "sw/instrumentation/record.hpp"
#include "sw/monitors/hypermon/burst_sink.hpp"

#include <vector>

namespace hypermon {

class BurstRecorder : public BurstSink {
public:
  /// Makes the folder.
  explicit BurstRecorder(const std::filesystem::path& folder);

  void add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side) override;
  void advance(Time horizon) override;
  void close(Time program_end) override;

private:
  struct Row {
    Time first;
    Time spacing;
    std::uint64_t message;
    std::uint16_t node;
    MessageSide side;
    std::uint8_t bytes;
    std::array<std::uint8_t, max_hardware_nibbles> data;
    bool operator<(const Row& other) const { return first != other.first ? first < other.first : node < other.node; }
  };

  std::vector<Row> pending_;
  NpyFile<std::uint16_t> node_;
  NpyFile<std::int64_t> first_ps_;
  NpyFile<std::int64_t> spacing_ps_;
  NpyFile<std::uint64_t> message_;
  NpyFile<std::uint8_t> side_;
  NpyFile<std::uint8_t> bytes_; // of data, in each row
  NpyFile<std::uint8_t> data_;
};

} // namespace hypermon
