// SPDX-License-Identifier: BSD-3-Clause
// What surrounds the board's RTL in its tests, clock edge by clock edge: the nodes that strobe, and the program that
// reads frames (spec sec. 3). Naive on purpose; the reader follows the contract as the oracle of the core's tests does.
#pragma once
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/core/params.hpp"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hypermon::testing {

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t clock_ps = 50'000;

/// One input's strobes, one at a time.
class Node {
public:
  void add(const Burst& burst) {
    if (burst.data.empty()) return;
    bursts_.push_back(burst);
    if (bursts_.size() == 1) due_ = burst.first.ps();
  }
  std::int64_t due() const { return due_; } ///< time in ps, or never
  bool due_before(std::int64_t ps) const { return due_ < ps; }
  std::uint32_t datum(std::int64_t width_bits) const {
    const std::size_t bytes = bytes_per_datum(width_bits);
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < bytes; ++b) value |= std::uint32_t{bursts_[burst_].data[datum_ * bytes + b]} << (8 * b);
    return value & mask_of_datum(width_bits);
  }
  bool flagged() const { return bursts_[burst_].flag_first && datum_ == 0; }

  /// The board holds the strobe: it is offered again after the next edge, which is at `ps`.
  void held_until(std::int64_t ps) { due_ = ps; }
  void strobed(std::int64_t width_bits) {
    const Burst& burst = bursts_[burst_];
    if (++datum_ * bytes_per_datum(width_bits) < burst.data.size()) {
      due_ += burst.spacing.ps();
    } else if (++burst_ < bursts_.size()) {
      datum_ = 0;
      due_ = std::max(due_, bursts_[burst_].first.ps());
    } else {
      due_ = never;
    }
  }

private:
  std::vector<Burst> bursts_;
  std::size_t burst_ = 0;
  std::size_t datum_ = 0;
  std::int64_t due_ = never;
};

/// The ideal or the group reader. It decides about an edge in the clock period before, as its bus access must be on the
/// pins then.
class FrameReader {
public:
  struct Access {
    bool begins = false; ///< a word
    bool ends = false;   ///< the word that it reads
  };

  FrameReader(const PbxParams& pbx, const ReaderParams& reader)
      : word_ns_(pbx.word_ns.number), burst_start_ns_(pbx.burst_start_ns.number), reader_(reader) {
    if (reader.kind == ReaderKind::ideal)
      reader_.group_ns = reader_.frame_ns = reader_.stall_ns = reader_.stall_every_frames = 0;
  }

  /// `waiting`: frames in the FIFO before the edge. `last_word`: a word that ends now is its frame's last.
  Access at(std::int64_t edge, std::size_t waiting, bool last_word) {
    Access access;
    access.ends = reading_ && edge == word_ends();
    const bool frame_leaves = access.ends && last_word;
    if (access.ends) ++word_;
    if (frame_leaves) end_frame(edge);
    access.begins = reading_ ? access.ends : begins_frame(edge, waiting - (frame_leaves ? 1 : 0));
    return access;
  }
  /// Edge before which the reader does nothing if no frame enters the FIFO; never if that holds for ever.
  std::int64_t next(std::int64_t edge, std::size_t waiting) const {
    if (reading_) return word_ends();
    if (waiting == 0 && left_in_group_ == 0) return never;
    return std::max(next_action_, edge);
  }
  /// Index of the word that is read, in its frame.
  std::size_t word() const { return word_; }

private:
  static std::int64_t edges(std::int64_t ns) { return (ns + 49) / 50; }
  std::int64_t word_ends() const {
    return began_ + edges(burst_start_ns_ + static_cast<std::int64_t>(word_ + 1) * word_ns_);
  }

  void end_frame(std::int64_t edge) {
    reading_ = false;
    --left_in_group_;
    ++since_stall_;
    next_action_ = edge + edges(reader_.frame_ns.number);
    if (left_in_group_ == 0 && reader_.stall_every_frames > 0 && since_stall_ >= reader_.stall_every_frames) {
      next_action_ += edges(reader_.stall_ns.number);
      since_stall_ = 0;
    }
  }
  bool begins_frame(std::int64_t edge, std::size_t waiting) {
    if (edge < next_action_) return false;
    if (left_in_group_ == 0) {
      if (waiting == 0) return false;
      left_in_group_ = std::min<std::size_t>(waiting, 4095);
      next_action_ = edge + edges(reader_.group_ns.number);
      if (edge < next_action_) return false;
    }
    reading_ = true;
    began_ = edge;
    word_ = 0;
    return true;
  }

  std::int64_t word_ns_;
  std::int64_t burst_start_ns_;
  ReaderParams reader_;
  bool reading_ = false;
  std::int64_t began_ = 0; // edge at which the frame's reading began
  std::size_t word_ = 0;
  std::size_t left_in_group_ = 0;
  std::int64_t since_stall_ = 0;
  std::int64_t next_action_ = 0;
};

} // namespace hypermon::testing
