// SPDX-License-Identifier: BSD-3-Clause
// Records the events that the nodes write to a monitor's hardware, as NumPy files in a folder. hypermon.Recording makes
// the recording from them. Rows are ordered by the time of their first data, then by node.
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
  static constexpr std::size_t most_bytes = 32; ///< largest event

  /// Makes the folder.
  explicit EmissionRecorder(const std::filesystem::path& folder);

  /// Records that a node writes an event: the items of `data` from `first` on, at distances of `spacing`. `message` and
  /// `side` are those of an Emission.
  void add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side);
  /// No later row will begin before `horizon`.
  void advance(Time horizon);
  /// No row follows.
  void close();
  /// Stores data that the report of a replay needs besides the result. The run was measured from `begin` to `end`.
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
  NpyFile<std::uint8_t> bytes_; // number of data bytes in each row
  NpyFile<std::uint8_t> data_;
};

} // namespace hypermon
