// SPDX-License-Identifier: BSD-3-Clause
#include "hw/funnel/core/formatter.hpp"

#include <algorithm>
#include <bit>

namespace hypermon {

TraceFormatter::TraceFormatter(const TraceFormatterParams& params, bool keep_bytes)
    : frames_wanted_(params.format == TraceFormat::frames), keep_bytes_(keep_bytes),
      repeat_id_frames_(static_cast<std::uint64_t>(params.repeat_id_frames)),
      sync_frames_(static_cast<std::uint64_t>(params.sync_frames)) {}

std::size_t TraceFormatter::most_bytes(std::size_t count) const {
  if (!frames_wanted_) return count;
  // Bytes already in the frame, an ID, a repeated ID, and the new bytes.
  const std::size_t frames = (frame_data_bytes - 1 + 2 + count) / frame_data_bytes;
  return frames * (frame_bytes + (sync_frames_ > 0 ? full_sync_packet.size() : 0));
}

std::size_t TraceFormatter::take(std::uint32_t source, std::size_t count, const std::uint8_t* bytes) {
  if (!frames_wanted_) {
    unit_.size = static_cast<std::uint8_t>(count);
    if (keep_bytes_) std::copy_n(bytes, count, unit_.bytes.begin());
    complete_ = true;
    return count;
  }
  if (filled_ == 0) begin_frame();
  const auto id = static_cast<std::uint8_t>(source + 1);
  if (id != id_ || (filled_ == 0 && frames_ - id_frame_ >= repeat_id_frames_)) put_id(id);
  const std::size_t n = std::min(count, frame_data_bytes - filled_);
  if (keep_bytes_) std::copy_n(bytes, n, frame_.begin() + static_cast<std::ptrdiff_t>(filled_));
  filled_ += n;
  if (filled_ == frame_data_bytes) end_frame();
  return n;
}

void TraceFormatter::fill_up() {
  if (!frames_wanted_ || filled_ == 0) return;
  put_id(0);
  padding_bytes_ += frame_data_bytes - filled_;
  if (keep_bytes_) std::fill(frame_.begin() + static_cast<std::ptrdiff_t>(filled_), frame_.end(), std::uint8_t{0});
  filled_ = frame_data_bytes;
  end_frame();
}

// IDs are at even positions. An ID due at an odd position is swapped with the byte before it and marked to take effect
// after that byte.
void TraceFormatter::put_id(std::uint8_t id) {
  const std::size_t at = filled_ & ~std::size_t{1};
  if (at != filled_) {
    frame_[filled_] = frame_[at];
    late_ = static_cast<std::uint8_t>(late_ | 1u << (at / 2));
  }
  frame_[at] = static_cast<std::uint8_t>(id << 1 | 1);
  ids_ = static_cast<std::uint8_t>(ids_ | 1u << (at / 2));
  id_ = id;
  id_frame_ = frames_;
  ++filled_;
}

void TraceFormatter::begin_frame() {
  unit_.size = 0;
  if (sync_frames_ == 0 || frames_ % sync_frames_ != 0) return;
  std::copy(full_sync_packet.begin(), full_sync_packet.end(), unit_.bytes.begin());
  unit_.size = full_sync_packet.size();
}

void TraceFormatter::end_frame() {
  if (keep_bytes_) {
    std::uint8_t* out = unit_.bytes.data() + unit_.size;
    std::uint8_t beside = late_;
    for (std::size_t i = 0; i < frame_data_bytes; ++i) {
      const bool even = i % 2 == 0;
      const bool is_id = even && (ids_ >> (i / 2) & 1) != 0;
      out[i] = even && !is_id ? static_cast<std::uint8_t>(frame_[i] & ~1u) : frame_[i];
      if (even && !is_id) beside = static_cast<std::uint8_t>(beside | (frame_[i] & 1u) << (i / 2));
    }
    out[frame_data_bytes] = beside;
  }
  if (unit_.size > 0) ++full_syncs_;
  id_bytes_ += static_cast<std::uint64_t>(std::popcount(ids_));
  unit_.size = static_cast<std::uint8_t>(unit_.size + frame_bytes);
  ++frames_;
  filled_ = 0;
  ids_ = 0;
  late_ = 0;
  complete_ = true;
}

void TraceDeformatter::lost() {
  filled_ = 0;
  id_ = 0;
}

void TraceDeformatter::read(std::span<const std::uint8_t> stream, const Emit& emit) {
  for (const std::uint8_t byte : stream) {
    frame_[filled_++] = byte;
    // No frame begins with these bytes: the first one would be ID 0x7F, which no source has.
    if (filled_ == full_sync_packet.size() &&
        std::equal(full_sync_packet.begin(), full_sync_packet.end(), frame_.begin()))
      filled_ = 0;
    if (filled_ == frame_bytes) {
      read_frame(emit);
      filled_ = 0;
    }
  }
}

void TraceDeformatter::read_frame(const Emit& emit) {
  const std::uint8_t beside = frame_[frame_data_bytes];
  std::array<std::uint8_t, frame_data_bytes> run; // bytes of source id_
  std::size_t n = 0;
  const auto turn_to = [&](std::uint8_t id) {
    if (n > 0 && id_ > 0 && id_ <= most_formatted_sources) emit(id_ - 1u, {run.data(), n});
    n = 0;
    id_ = id;
  };
  for (std::size_t i = 0; i < frame_data_bytes; i += 2) {
    const bool has_next = i + 1 < frame_data_bytes;
    const bool flag = (beside >> (i / 2) & 1) != 0;
    const bool is_id = (frame_[i] & 1) != 0;
    const auto id = static_cast<std::uint8_t>(frame_[i] >> 1);
    if (!is_id) run[n++] = static_cast<std::uint8_t>(frame_[i] | (flag ? 1 : 0));
    if (is_id && !flag) turn_to(id);
    if (has_next) run[n++] = frame_[i + 1];
    if (is_id && flag) turn_to(id);
  }
  turn_to(id_);
}

} // namespace hypermon
