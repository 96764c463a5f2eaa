// SPDX-License-Identifier: BSD-3-Clause
// Records what the nodes write to a monitor's hardware: columns as NumPy files in a folder, from which
// hypermon.Recording makes the recording. Rows are in the order of their first data, then of the nodes.
#pragma once
#include "base/npy_file.hpp"
#include "base/time.hpp"
#include "hw/machine/node_clock.hpp"
#include "sw/instrumentation/causality.hpp"

#include <array>
#include <filesystem>
#include <span>
#include <vector>

namespace hypermon {

class EmissionRecorder {
public:
  static constexpr std::size_t most_bytes = 32; ///< of an event

  /// Makes the folder.
  explicit EmissionRecorder(const std::filesystem::path& folder);

  /// A node writes an event: `data`, the first at `first`, `spacing` apart. `message` and `side`: as in an Emission.
  void add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side);
  /// No row that is still to come is before `horizon`.
  void advance(Time horizon);
  /// Nothing more comes.
  void close();
  /// What a replay's report needs beside the result: of a run measured from `begin` to `end`.
  void measured(Time begin, Time end, Time program_end) const;

private:
  struct Row {
    Time first;
    Time spacing;
    std::uint64_t message;
    std::uint16_t node;
    MessageSide side;
    std::uint8_t bytes;
    std::array<std::uint8_t, most_bytes> data;
    bool operator<(const Row& other) const { return first != other.first ? first < other.first : node < other.node; }
  };

  std::filesystem::path folder_;
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
