// SPDX-License-Identifier: BSD-3-Clause
// Event frames (spec secs. 2 and 6, HYPERMON sec. 3.2.1) and their layout in 32-bit words.
#pragma once
#include "base/time.hpp"
#include "hw/hypermon/core/params.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <stdexcept>

namespace hypermon {

inline constexpr std::size_t max_inputs = 32;

/// Width of a node FIFO's entry, which is a datum or a word that collects several data, and the number of these data
/// (spec sec. 6).
constexpr std::int64_t bits_per_word(std::int64_t width_bits, std::int64_t accumulate_bits) {
  return std::max(width_bits, accumulate_bits);
}
constexpr std::int64_t data_per_word(std::int64_t width_bits, std::int64_t accumulate_bits) {
  return bits_per_word(width_bits, accumulate_bits) / width_bits;
}

/// Content of a frame. Data of inputs outside the vector, and the timestamp of a frame without one, are 0.
struct EventFrame {
  std::uint32_t vector = 0; ///< bit i: input i has a datum
  bool stamped = true;      ///< true if the frame has a timestamp
  std::uint64_t timestamp = 0;
  std::array<std::uint32_t, max_inputs> data{};

  bool has(std::uint32_t input) const { return (vector >> input & 1u) != 0; }
  bool operator==(const EventFrame&) const = default;
};

/// A frame and the time at which its last word had been read; the frame left the frame FIFO then.
struct DeliveredFrame {
  EventFrame frame;
  Time read_end;
  /// Begin of the frame's window in true time, which only the simulator knows. never(): the frame was in the FIFO at
  /// power-on, or a bus master read it, which cannot know.
  Time captured = Time::never();
  /// Time before which all its data were strobed, if windows have this length. 0: no node has written them.
  Time strobed_before(Time window) const { return captured == Time::never() ? Time{} : captured + window; }
  /// Compares only the parts that an I/O node can read.
  bool operator==(const DeliveredFrame& other) const { return frame == other.frame && read_end == other.read_end; }
};

/// Layout of a board's frames: data words, the vector word, timestamp words. Data and timestamp each begin with their
/// highest word.
class FrameFormat {
public:
  /// Marks a stamped frame in the vector word, with timestamps on request only.
  static constexpr std::uint32_t stamped_bit = 1u << 31;
  static constexpr std::size_t max_words = max_inputs + 1 + 2;

  /// `data_bits`: 4, 8, 16 or 32. Timestamps on request use bit 31 of the vector word, which leaves at most 31 inputs.
  FrameFormat(std::int64_t inputs, std::int64_t data_bits, std::int64_t timestamp_bits, bool on_request);
  FrameFormat(const PortParams& port, const EcbParams& ecb);

  std::size_t inputs() const { return inputs_; }
  std::size_t data_bits() const { return data_bits_; }
  std::size_t timestamp_bits() const { return timestamp_bits_; }
  bool on_request() const { return on_request_; }
  std::size_t data_words() const { return (inputs_ * data_bits_ + 31) / 32; }
  std::size_t timestamp_words() const { return (timestamp_bits_ + 31) / 32; }
  /// Words of a frame with or without a timestamp.
  std::size_t words(bool stamped = true) const { return data_words() + 1 + (stamped ? timestamp_words() : 0); }

  /// Word i of the frame.
  std::uint32_t word(const EventFrame& frame, std::size_t i) const;
  /// Writes all words and returns their number. Timestamp and data must fit the format; data of inputs outside the
  /// vector are not read.
  std::size_t pack(const EventFrame& frame, std::span<std::uint32_t, max_words> to) const;
  /// Reads the frame from words(stamped) words; the vector word says whether it is stamped. Bits without meaning are
  /// ignored (data of inputs outside the vector, bits above the inputs or the timestamp).
  EventFrame unpack(std::span<const std::uint32_t> words) const;
  /// Whether the frame with this vector word carries a timestamp.
  bool is_stamped(std::uint32_t vector_word) const { return !on_request_ || (vector_word & stamped_bit) != 0; }
  /// Bits that can be set in the vector word and in the timestamp.
  std::uint32_t vector_mask() const {
    return static_cast<std::uint32_t>(~std::uint64_t{0} >> (64 - inputs_)) | (on_request_ ? stamped_bit : 0);
  }
  std::uint64_t timestamp_mask() const { return ~std::uint64_t{0} >> (64 - timestamp_bits_); }
  bool operator==(const FrameFormat&) const = default;

private:
  std::uint32_t data_word(const EventFrame& frame, std::size_t i) const;
  std::uint32_t vector_word(const EventFrame& frame) const {
    return frame.vector | (on_request_ && frame.stamped ? stamped_bit : 0);
  }

  std::size_t inputs_;
  std::size_t data_bits_;
  std::size_t timestamp_bits_;
  bool on_request_;
};

// These functions are inline, because the boards of users are not linked with a library of hypermon.

inline FrameFormat::FrameFormat(std::int64_t inputs, std::int64_t data_bits, std::int64_t timestamp_bits,
                                bool on_request)
    : inputs_(static_cast<std::size_t>(inputs)), data_bits_(static_cast<std::size_t>(data_bits)),
      timestamp_bits_(static_cast<std::size_t>(timestamp_bits)), on_request_(on_request) {
  const bool fits = inputs >= 1 && inputs <= static_cast<std::int64_t>(max_inputs) - (on_request ? 1 : 0) &&
                    data_bits >= 4 && data_bits <= 32 && std::has_single_bit(data_bits_) && timestamp_bits >= 1 &&
                    timestamp_bits <= 64;
  if (!fits) throw std::invalid_argument("no such frame format");
}

inline FrameFormat::FrameFormat(const PortParams& port, const EcbParams& ecb)
    : FrameFormat(ecb.inputs, bits_per_word(port.width_bits, ecb.accumulate_bits), ecb.timestamp_bits,
                  ecb.timestamp_policy == TimestampPolicy::on_request) {}

// Here data words are numbered from the highest, and fields from the lowest.
inline std::uint32_t FrameFormat::data_word(const EventFrame& frame, std::size_t i) const {
  const std::size_t fields = 32 / data_bits_;
  const std::size_t first = (data_words() - 1 - i) * fields;
  std::uint32_t word = 0;
  for (std::uint64_t left = (frame.vector >> first) & ((std::uint64_t{1} << fields) - 1); left != 0; left &= left - 1) {
    const auto field = static_cast<std::size_t>(std::countr_zero(left));
    word |= frame.data[first + field] << field * data_bits_;
  }
  return word;
}

inline std::uint32_t FrameFormat::word(const EventFrame& frame, std::size_t i) const {
  const std::size_t data = data_words();
  if (i < data) return data_word(frame, i);
  if (i == data) return vector_word(frame);
  return static_cast<std::uint32_t>(frame.timestamp >> 32 * (data + timestamp_words() - i));
}

inline std::size_t FrameFormat::pack(const EventFrame& frame, std::span<std::uint32_t, max_words> to) const {
  const std::size_t n = words(frame.stamped);
  for (std::size_t i = 0; i < n; ++i) to[i] = word(frame, i);
  return n;
}

inline EventFrame FrameFormat::unpack(std::span<const std::uint32_t> words) const {
  const std::size_t data = data_words();
  const std::uint32_t vector = words[data] & vector_mask();
  EventFrame frame;
  frame.stamped = is_stamped(vector);
  frame.vector = on_request_ ? vector & ~stamped_bit : vector;
  const std::size_t fields = 32 / data_bits_;
  const std::uint32_t field_mask = ~std::uint32_t{0} >> (32 - data_bits_);
  for (std::uint32_t left = frame.vector; left != 0; left &= left - 1) {
    const auto input = static_cast<std::size_t>(std::countr_zero(left));
    frame.data[input] = words[data - 1 - input / fields] >> input % fields * data_bits_ & field_mask;
  }
  if (!frame.stamped) return frame;
  for (std::size_t i = 0; i < timestamp_words(); ++i) frame.timestamp = frame.timestamp << 32 | words[data + 1 + i];
  frame.timestamp &= timestamp_mask();
  return frame;
}

} // namespace hypermon
