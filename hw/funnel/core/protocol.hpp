// SPDX-License-Identifier: BSD-3-Clause
// Encoding of a source's messages into bytes, and decoding by an analyst (docs/design/funnel.md, "Messages").
//
//   data      a node's message with a timestamp: the difference to the source's previous message
//   sync      a message with the whole timestamp, at which an analyst can begin
//   overflow  messages are missing from here on; a sync follows
#pragma once
#include "hw/funnel/core/params.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace hypermon {

enum class TraceKind : std::uint8_t { data, sync, overflow };

class TraceProtocol {
public:
  explicit TraceProtocol(const TraceProtocolParams& params);

  /// Bytes of a message of `payload` bytes, `difference` after the previous message.
  std::size_t data_size(std::size_t payload, std::uint64_t difference) const;
  std::size_t sync_size(std::uint64_t timestamp) const;
  std::size_t overflow_size() const;
  /// Largest sizes for any timestamp.
  std::size_t longest_data(std::size_t payload) const { return data_size(payload, mask_); }
  std::size_t longest_sync() const { return sync_size(mask_); }
  /// Longest payload of a message that takes at most `bytes` and respects the encoding's own limit; 0 if there is none.
  std::size_t longest_payload(std::size_t bytes) const;

  // The following functions append to `out`.
  void write_data(std::uint32_t source, std::span<const std::uint8_t> payload, std::uint64_t difference,
                  std::vector<std::uint8_t>& out) const;
  void write_sync(std::uint32_t source, std::uint64_t timestamp, std::vector<std::uint8_t>& out) const;
  void write_overflow(std::uint32_t source, std::vector<std::uint8_t>& out) const;

  TraceEncoding encoding() const { return encoding_; }
  std::size_t source_bits() const { return source_bits_; }
  std::uint64_t timestamp_mask() const { return mask_; }

private:
  TraceEncoding encoding_;
  std::size_t source_bits_;
  std::uint64_t mask_;
};

/// A decoded message.
struct TraceMessage {
  std::uint32_t source;
  TraceKind kind;
  std::uint64_t timestamp; ///< counter of timestamp_bits; for an overflow, that of the previous message
  std::vector<std::uint8_t> payload;
  bool operator==(const TraceMessage&) const = default;
};

/// Decodes the bytes of one source (packets) or of all sources (nexus). A source's messages are reported from its first
/// sync on. Invalid bytes are skipped.
class TraceReader {
public:
  using Emit = std::function<void(const TraceMessage&)>;

  /// For packets: all bytes belong to this source.
  TraceReader(const TraceProtocolParams& params, std::uint32_t source);

  /// Calls `emit` for each message that these bytes complete.
  void read(std::span<const std::uint8_t> bytes, const Emit& emit);
  /// Bytes are missing here: decoding restarts, possibly within a message.
  void lost();

private:
  enum class State : std::uint8_t { begin, data, timestamp, sync_timestamp, lost };
  void read_packets(std::uint8_t byte, const Emit& emit);
  void begin_timestamp(State state);
  void end_packets(const Emit& emit);
  void read_nexus(std::uint8_t byte, const Emit& emit);
  void end_nexus(const Emit& emit);

  TraceProtocol protocol_;
  std::uint32_t source_;
  std::vector<std::optional<std::uint64_t>> clocks_; // last timestamp, by source (packets: only one)
  State state_ = State::begin;
  TraceMessage message_{};
  // packets
  std::size_t zeros_ = 0; // successive zeros
  std::size_t left_ = 0;  // remaining bytes of the packet
  bool last_ = false;
  std::uint64_t timestamp_ = 0;
  unsigned shift_ = 0;
  // nexus
  std::vector<std::uint8_t> nexus_; // bytes of the current message
};

} // namespace hypermon
