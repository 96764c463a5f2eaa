// SPDX-License-Identifier: BSD-3-Clause
// The formatter packs the bytes of several sources into frames of 16 bytes, 15 of which are data or IDs of the sources
// of the following data (CoreSight Components TRM DDI 0314H, 8.12.1). The deformatter is the inverse.
#pragma once
#include "hw/funnel/core/params.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace hypermon {

inline constexpr std::size_t frame_bytes = 16;
inline constexpr std::size_t frame_data_bytes = 15;
inline constexpr std::array<std::uint8_t, 4> full_sync_packet{0xFF, 0xFF, 0xFF, 0x7F};
/// Source i has ID i + 1: ID 0 belongs to no source, and IDs from 0x70 on are reserved.
inline constexpr std::size_t most_formatted_sources = 0x6F;

/// Output of the formatter: a frame, possibly with the full synchronisation packet before it; or an unchanged word.
struct TraceUnit {
  std::uint8_t size = 0;
  std::array<std::uint8_t, frame_bytes + full_sync_packet.size()> bytes{}; ///< only if bytes are kept
};

class TraceFormatter {
public:
  /// keep_bytes: units contain their bytes; otherwise only their sizes.
  TraceFormatter(const TraceFormatterParams& params, bool keep_bytes);

  /// Takes as many of a source's `count` bytes as fit into the current unit, and returns their number. `bytes` points
  /// to them, if bytes are kept.
  std::size_t take(std::uint32_t source, std::size_t count, const std::uint8_t* bytes);
  /// If a frame has been begun, fills it with bytes of ID 0.
  void fill_up();
  /// The unit is complete. The caller of take() or fill_up() must take it before the next call.
  bool complete() const { return complete_; }
  const TraceUnit& unit() const { return unit_; }
  void next_unit() { complete_ = false; }

  bool empty() const { return filled_ == 0 && !complete_; }
  std::size_t filled() const { return filled_; }
  /// Largest total size of the units that `count` bytes of a source complete.
  std::size_t most_bytes(std::size_t count) const;

  /// Number of the last frame with an ID.
  std::uint64_t id_frame() const { return id_frame_; }

  // Counts over complete units:
  std::uint64_t id_bytes() const { return id_bytes_; }
  std::uint64_t padding_bytes() const { return padding_bytes_; }
  std::uint64_t frames() const { return frames_; }
  std::uint64_t full_syncs() const { return full_syncs_; }

private:
  void put_id(std::uint8_t id);
  void begin_frame();
  void end_frame();

  bool frames_wanted_;
  bool keep_bytes_;
  std::uint64_t repeat_id_frames_;
  std::uint64_t sync_frames_;
  TraceUnit unit_;
  bool complete_ = false;
  std::size_t filled_ = 0;                             // number of bytes in the frame, of 15
  std::array<std::uint8_t, frame_data_bytes> frame_{}; // the frame's bytes: data, and IDs in their encoded form
  std::uint8_t ids_ = 0;                               // bit i: byte 2 i is an ID
  std::uint8_t late_ = 0;                              // bit i: that ID takes effect only after the next byte
  std::uint8_t id_ = 0;
  std::uint64_t id_frame_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t full_syncs_ = 0;
  std::uint64_t id_bytes_ = 0;
  std::uint64_t padding_bytes_ = 0;
};

/// Restores the bytes of the sources from frames. Skips full synchronisation packets between frames.
class TraceDeformatter {
public:
  using Emit = std::function<void(std::uint32_t source, std::span<const std::uint8_t> bytes)>;

  /// Calls `emit` for each run of bytes of a source.
  void read(std::span<const std::uint8_t> stream, const Emit& emit);
  /// Frames are missing here. Bytes are ignored until the next ID. The next byte begins a frame.
  void lost();

private:
  void read_frame(const Emit& emit);

  std::array<std::uint8_t, frame_bytes> frame_{};
  std::size_t filled_ = 0;
  std::uint8_t id_ = 0;
};

} // namespace hypermon
