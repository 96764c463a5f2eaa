// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/frame.hpp"
#include <algorithm>
#include <stdexcept>

namespace hypermon {

FrameFormat::FrameFormat(std::int64_t inputs, std::int64_t data_bits, std::int64_t timestamp_bits, bool on_request)
    : inputs_(static_cast<std::size_t>(inputs)), data_bits_(static_cast<std::size_t>(data_bits)),
      timestamp_bits_(static_cast<std::size_t>(timestamp_bits)), on_request_(on_request) {
  const bool fits = inputs >= 1 && inputs <= static_cast<std::int64_t>(max_inputs) - (on_request ? 1 : 0) &&
                    data_bits >= 4 && data_bits <= 32 && std::has_single_bit(data_bits_) && timestamp_bits >= 1 &&
                    timestamp_bits <= 64;
  if (!fits) throw std::invalid_argument("no such frame format");
}

FrameFormat::FrameFormat(const PortParams& port, const EcbParams& ecb)
    : FrameFormat(ecb.inputs, bits_per_word(port.width_bits, ecb.accumulate_bits), ecb.timestamp_bits,
                  ecb.timestamp_policy == TimestampPolicy::on_request) {}

// Here data words are numbered from the highest, and fields from the lowest.
std::uint32_t FrameFormat::data_word(const EventFrame& frame, std::size_t i) const {
  const std::size_t fields = 32 / data_bits_;
  const std::size_t first = (data_words() - 1 - i) * fields;
  std::uint32_t word = 0;
  for (std::uint64_t left = (frame.vector >> first) & ((std::uint64_t{1} << fields) - 1); left != 0; left &= left - 1) {
    const auto field = static_cast<std::size_t>(std::countr_zero(left));
    word |= frame.data[first + field] << field * data_bits_;
  }
  return word;
}

std::uint32_t FrameFormat::word(const EventFrame& frame, std::size_t i) const {
  const std::size_t data = data_words();
  if (i < data) return data_word(frame, i);
  if (i == data) return vector_word(frame);
  return static_cast<std::uint32_t>(frame.timestamp >> 32 * (data + timestamp_words() - i));
}

std::size_t FrameFormat::pack(const EventFrame& frame, std::span<std::uint32_t, max_words> to) const {
  const std::size_t n = words(frame.stamped);
  for (std::size_t i = 0; i < n; ++i) to[i] = word(frame, i);
  return n;
}

EventFrame FrameFormat::unpack(std::span<const std::uint32_t> words) const {
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
