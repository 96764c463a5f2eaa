// SPDX-License-Identifier: BSD-3-Clause
// The formatter: bytes of several sources become frames of 16 bytes, of which 15 are data or say whose the next are
// (CoreSight Components TRM DDI 0314H, 8.12.1); and back.
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
/// Source i has number i + 1: 0 is nobody's, 0x70 and more are reserved.
inline constexpr std::size_t most_formatted_sources = 0x6F;

/// What leaves the formatter at a time: a frame, with the full synchronisation packet before it; or a word as it is.
struct TraceUnit {
  std::uint8_t size = 0;
  std::array<std::uint8_t, frame_bytes + full_sync_packet.size()> bytes{}; ///< if bytes are kept
};

class TraceFormatter {
public:
  /// keep_bytes: units have their bytes; else their sizes alone.
  TraceFormatter(const TraceFormatterParams& params, bool keep_bytes);

  /// Takes as many of a source's `count` bytes as go into the unit that is being filled, and says how many. `bytes` are
  /// those bytes, if they are kept.
  std::size_t take(std::uint32_t source, std::size_t count, const std::uint8_t* bytes);
  /// Fills the frame up with nobody's bytes, if one is begun.
  void fill_up();
  /// The unit is complete: whoever called take() or fill_up() takes it before the next call.
  bool complete() const { return complete_; }
  const TraceUnit& unit() const { return unit_; }
  void next_unit() { complete_ = false; }

  bool empty() const { return filled_ == 0 && !complete_; }
  std::size_t filled() const { return filled_; }
  /// The most that units take that `count` bytes of a source complete.
  std::size_t most_bytes(std::size_t count) const;

  /// The frame that says last whose the bytes are.
  std::uint64_t id_frame() const { return id_frame_; }

  // Of units that are complete.
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
  std::size_t filled_ = 0;                             // of the frame's 15
  std::array<std::uint8_t, frame_data_bytes> frame_{}; // data, and IDs as they are written
  std::uint8_t ids_ = 0;                               // bit i: byte 2 i is an ID
  std::uint8_t late_ = 0;                              // bit i: that ID holds from after the next byte on
  std::uint8_t id_ = 0;
  std::uint64_t id_frame_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t full_syncs_ = 0;
  std::uint64_t id_bytes_ = 0;
  std::uint64_t padding_bytes_ = 0;
};

/// Frames to bytes of sources. Full synchronisation packets between frames are left out.
class TraceDeformatter {
public:
  using Tell = std::function<void(std::uint32_t source, std::span<const std::uint8_t> bytes)>;

  /// Calls `tell` for each run of bytes that is somebody's.
  void read(std::span<const std::uint8_t> stream, const Tell& tell);
  /// Frames are missing here: bytes are nobody's until a frame says whose they are. The next is the first of a frame.
  void lost();

private:
  void read_frame(const Tell& tell);

  std::array<std::uint8_t, frame_bytes> frame_{};
  std::size_t filled_ = 0;
  std::uint8_t id_ = 0;
};

} // namespace hypermon
