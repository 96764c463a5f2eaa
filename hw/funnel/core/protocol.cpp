// SPDX-License-Identifier: BSD-3-Clause
#include "hw/funnel/core/protocol.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace hypermon {
namespace {

// packets: a packet has a header and up to 8 bytes. The last packet of a message has its timestamp, in groups of 7
// bits. Data have at most 9 successive zeros (8 bytes and a timestamp of 0), so 11 zeros and 0x80 identify a sync.
constexpr std::size_t packet_bytes = 8;
constexpr std::uint8_t more_header = 0x40; // + bytes
constexpr std::uint8_t last_header = 0x50; // + bytes
constexpr std::uint8_t overflow_header = 0x70;
constexpr std::size_t sync_zeros = 11;
constexpr std::uint8_t sync_end = 0x80;

// nexus: TCODE and SRC, then the content of the message; the timestamp is a field of its own.
constexpr std::size_t tcode_bits = 6;
constexpr std::size_t reason_bits = 4; // ETYPE, SYNC
constexpr std::uint64_t data_tcode = 7;
constexpr std::uint64_t error_tcode = 8;
constexpr std::uint64_t sync_tcode = 9;
constexpr std::size_t bits_of_byte = 6;
constexpr std::size_t most_nexus_bytes = 38;
constexpr std::uint8_t end_of_field = 1;
constexpr std::uint8_t end_of_message = 3;

constexpr std::size_t groups(std::size_t bits, std::size_t width) { return (bits + width - 1) / width; }
std::size_t groups_of(std::uint64_t value, std::size_t width) {
  return std::max<std::size_t>(1, groups(static_cast<std::size_t>(std::bit_width(value)), width));
}

void write_groups_of_7(std::uint64_t value, std::vector<std::uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(0x80 | (value & 0x7F)));
  out.push_back(static_cast<std::uint8_t>(value));
}

/// Packs bits, the lowest first, into groups of 6 with the framing bits.
class NexusWriter {
public:
  explicit NexusWriter(std::vector<std::uint8_t>& out) : out_(out) {}
  void put(std::uint64_t value, std::size_t bits) {
    for (; bits > 0; --bits, value >>= 1) {
      byte_ = static_cast<std::uint8_t>(byte_ | (value & 1) << filled_);
      if (++filled_ == bits_of_byte) push();
    }
  }
  void end(std::uint8_t framing) {
    if (filled_ > 0) push();
    out_.back() = static_cast<std::uint8_t>(out_.back() | framing);
  }

private:
  void push() {
    out_.push_back(static_cast<std::uint8_t>(byte_ << 2));
    byte_ = 0;
    filled_ = 0;
  }
  std::vector<std::uint8_t>& out_;
  std::uint8_t byte_ = 0;
  std::size_t filled_ = 0;
};

void put_variable(NexusWriter& writer, std::uint64_t value) {
  writer.put(value, std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(value))));
}

/// Extracts `count` bits, at most 64, from bit `from` on, of bytes with 6 data bits each.
std::uint64_t bits_of(std::span<const std::uint8_t> bytes, std::size_t from, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i, ++from)
    value |= std::uint64_t{bytes[from / bits_of_byte] >> (2 + from % bits_of_byte) & 1u} << i;
  return value;
}

} // namespace

TraceProtocol::TraceProtocol(const TraceProtocolParams& params)
    : encoding_(params.encoding), source_bits_(static_cast<std::size_t>(params.source_bits)),
      mask_(params.timestamp_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << params.timestamp_bits) - 1) {}

std::size_t TraceProtocol::data_size(std::size_t payload, std::uint64_t difference) const {
  if (encoding_ == TraceEncoding::packets) return groups(payload, packet_bytes) + payload + groups_of(difference, 7);
  return groups(tcode_bits + source_bits_ + 8 * payload, bits_of_byte) + groups_of(difference, bits_of_byte);
}

std::size_t TraceProtocol::sync_size(std::uint64_t timestamp) const {
  if (encoding_ == TraceEncoding::packets) return sync_zeros + 1 + groups_of(timestamp, 7);
  return groups(tcode_bits + source_bits_ + reason_bits, bits_of_byte) + groups_of(timestamp, bits_of_byte);
}

std::size_t TraceProtocol::overflow_size() const {
  return encoding_ == TraceEncoding::packets ? 1 : groups(tcode_bits + source_bits_ + reason_bits, bits_of_byte);
}

std::size_t TraceProtocol::longest_payload(std::size_t bytes) const {
  if (encoding_ == TraceEncoding::nexus) bytes = std::min(bytes, most_nexus_bytes);
  std::size_t longest = 0;
  while (longest_data(longest + 1) <= bytes) ++longest;
  return longest;
}

void TraceProtocol::write_data(std::uint32_t source, std::span<const std::uint8_t> payload, std::uint64_t difference,
                               std::vector<std::uint8_t>& out) const {
  if (encoding_ == TraceEncoding::packets) {
    while (!payload.empty()) {
      const std::size_t n = std::min(payload.size(), packet_bytes);
      out.push_back(static_cast<std::uint8_t>((n == payload.size() ? last_header : more_header) + n));
      out.insert(out.end(), payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(n));
      payload = payload.subspan(n);
    }
    write_groups_of_7(difference, out);
  } else {
    NexusWriter writer(out);
    writer.put(data_tcode, tcode_bits);
    writer.put(source, source_bits_);
    for (const std::uint8_t byte : payload) writer.put(byte, 8);
    writer.end(end_of_field);
    put_variable(writer, difference);
    writer.end(end_of_message);
  }
}

void TraceProtocol::write_sync(std::uint32_t source, std::uint64_t timestamp, std::vector<std::uint8_t>& out) const {
  if (encoding_ == TraceEncoding::packets) {
    out.insert(out.end(), sync_zeros, 0);
    out.push_back(sync_end);
    write_groups_of_7(timestamp, out);
  } else {
    NexusWriter writer(out);
    writer.put(sync_tcode, tcode_bits);
    writer.put(source, source_bits_);
    writer.put(0, reason_bits);
    writer.end(end_of_field);
    put_variable(writer, timestamp);
    writer.end(end_of_message);
  }
}

void TraceProtocol::write_overflow(std::uint32_t source, std::vector<std::uint8_t>& out) const {
  if (encoding_ == TraceEncoding::packets) {
    out.push_back(overflow_header);
  } else {
    NexusWriter writer(out);
    writer.put(error_tcode, tcode_bits);
    writer.put(source, source_bits_);
    writer.put(0, reason_bits);
    writer.end(end_of_message);
  }
}

TraceReader::TraceReader(const TraceProtocolParams& params, std::uint32_t source)
    : protocol_(params), source_(source),
      clocks_(params.encoding == TraceEncoding::packets ? 1 : std::size_t{1} << params.source_bits) {}

void TraceReader::read(std::span<const std::uint8_t> bytes, const Emit& emit) {
  for (const std::uint8_t byte : bytes)
    protocol_.encoding() == TraceEncoding::packets ? read_packets(byte, emit) : read_nexus(byte, emit);
}

void TraceReader::lost() {
  std::fill(clocks_.begin(), clocks_.end(), std::nullopt);
  state_ = State::lost;
  message_.payload.clear();
  zeros_ = 0;
  nexus_.clear();
}

void TraceReader::read_packets(std::uint8_t byte, const Emit& emit) {
  const bool sync = byte == sync_end && zeros_ >= sync_zeros; // even within another message
  zeros_ = byte == 0 ? zeros_ + 1 : 0;
  if (sync) {
    begin_timestamp(State::sync_timestamp);
    return;
  }
  switch (state_) {
  case State::lost:
    return;
  case State::begin:
    if (byte == 0 || (byte == overflow_header && clocks_.front())) {
      if (byte != 0) emit({source_, TraceKind::overflow, *clocks_.front(), {}});
    } else if (byte == more_header + packet_bytes || (byte > last_header && byte <= last_header + packet_bytes)) {
      last_ = byte > last_header;
      left_ = byte - (last_ ? last_header : more_header);
      state_ = State::data;
    } else {
      lost();
    }
    return;
  case State::data:
    message_.payload.push_back(byte);
    if (--left_ > 0) return;
    last_ ? begin_timestamp(State::timestamp) : void(state_ = State::begin);
    return;
  case State::timestamp:
  case State::sync_timestamp:
    if (shift_ > 63) return lost();
    timestamp_ |= std::uint64_t{byte & 0x7Fu} << shift_;
    shift_ += 7;
    if ((byte & 0x80) == 0) end_packets(emit);
    return;
  }
}

void TraceReader::begin_timestamp(State state) {
  state_ = state;
  timestamp_ = 0;
  shift_ = 0;
}

void TraceReader::end_packets(const Emit& emit) {
  std::optional<std::uint64_t>& clock = clocks_.front();
  const bool sync = state_ == State::sync_timestamp;
  if (!sync && !clock) return lost(); // the stream does not begin with a sync
  clock = ((sync ? 0 : *clock) + timestamp_) & protocol_.timestamp_mask();
  if (sync) message_.payload.clear();
  message_.source = source_;
  message_.kind = sync ? TraceKind::sync : TraceKind::data;
  message_.timestamp = *clock;
  state_ = State::begin;
  emit(message_);
  message_.payload.clear();
}

void TraceReader::read_nexus(std::uint8_t byte, const Emit& emit) {
  constexpr std::uint8_t idle = 0xFF;
  if (byte == idle && nexus_.empty() && state_ != State::lost) return; // otherwise it may end a message
  nexus_.push_back(byte);
  if ((byte & 3) != end_of_message) {
    if (nexus_.size() >= most_nexus_bytes) lost(); // no message is that long
    return;
  }
  if (state_ != State::lost) end_nexus(emit);
  state_ = State::begin;
  nexus_.clear();
}

void TraceReader::end_nexus(const Emit& emit) {
  const std::span<const std::uint8_t> bytes(nexus_);
  const auto end = std::find_if(bytes.begin(), bytes.end(), [](std::uint8_t b) { return (b & 3) != 0; });
  const auto first = static_cast<std::size_t>(end - bytes.begin()) + 1; // bytes of the first field
  const std::size_t fixed = tcode_bits + protocol_.source_bits();
  if (first * bits_of_byte < fixed) return;
  const std::uint64_t tcode = bits_of(bytes, 0, tcode_bits);
  message_.source = static_cast<std::uint32_t>(bits_of(bytes, tcode_bits, protocol_.source_bits()));
  std::optional<std::uint64_t>& clock = clocks_[message_.source];
  const std::size_t stamp_bits = std::min<std::size_t>((bytes.size() - first) * bits_of_byte, 64);
  const std::uint64_t stamp = bits_of(bytes, first * bits_of_byte, stamp_bits);
  message_.payload.clear();
  if (tcode == sync_tcode && stamp_bits > 0) {
    message_.kind = TraceKind::sync;
    clock = stamp & protocol_.timestamp_mask();
  } else if (tcode == error_tcode && clock) {
    message_.kind = TraceKind::overflow;
  } else if (tcode == data_tcode && stamp_bits > 0 && clock) {
    message_.kind = TraceKind::data;
    for (std::size_t at = fixed; at + 8 <= first * bits_of_byte; at += 8)
      message_.payload.push_back(static_cast<std::uint8_t>(bits_of(bytes, at, 8)));
    clock = (*clock + stamp) & protocol_.timestamp_mask();
  } else {
    return;
  }
  message_.timestamp = *clock;
  emit(message_);
}

} // namespace hypermon
