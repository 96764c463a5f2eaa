// SPDX-License-Identifier: BSD-3-Clause
// Counts of a trace funnel up to the last horizon. Bytes of messages are the bytes that the nodes wrote; bytes added by
// encoding, formatting and synchronisation are counted separately.
#pragma once
#include "base/time.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace hypermon {

/// Why a message was lost. source_full: its source's FIFO had no room, or had not yet drained after an overflow.
/// sink_full: the sink's buffer had no room for some of its bytes. overwritten: some of its bytes were overwritten in
/// the buffer. no_sync: its bytes arrived after a gap, and the analyst cannot decode it before a sync.
enum class TraceLossCause : std::uint8_t { source_full, sink_full, overwritten, no_sync };
inline constexpr std::size_t trace_loss_causes = 4;
inline constexpr std::array<std::string_view, trace_loss_causes> trace_loss_names{"source_full", "sink_full",
                                                                                  "overwritten", "no_sync"};

struct LostTrace {
  std::uint32_t source;
  std::uint64_t sequence; ///< 0, 1, 2, ...: number of the message at its source
  TraceLossCause cause;
  Time time; ///< time of writing; for losses after the source, edge at which its last byte was lost or arrived
  bool operator==(const LostTrace&) const = default;
};

/// A message that the analyst has received.
struct DeliveredTrace {
  std::uint32_t source;
  std::uint64_t sequence;
  std::uint64_t timestamp; ///< counter of timestamp_bits when the message entered its source's FIFO
  Time written;
  Time entered; ///< later than `written` if its source was full and stalls
  Time delivered;
  bool operator==(const DeliveredTrace&) const = default;
};

/// Messages and their bytes.
struct TraceVolume {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  void add(std::uint64_t n) { ++messages, bytes += n; }
  void remove(std::uint64_t n) { --messages, bytes -= n; }
  TraceVolume& operator+=(const TraceVolume& o) {
    messages += o.messages, bytes += o.bytes;
    return *this;
  }
  bool operator==(const TraceVolume&) const = default;
};

/// written = dropped + held + inside + formatted.
struct TraceSourceCounts {
  TraceVolume written;
  TraceVolume dropped;   ///< TraceLossCause::source_full
  TraceVolume held;      ///< waits for room in the FIFO
  TraceVolume inside;    ///< bytes in the FIFO or on the links; at least one byte of the message has not left
  TraceVolume formatted; ///< messages of which all bytes have left the links
  /// encoded bytes of all messages that entered the FIFO, including syncs and overflow markers
  std::uint64_t encoded_bytes = 0;
  std::uint64_t syncs = 0;
  std::uint64_t overflows = 0; ///< number of times that it began to drop messages
  std::uint64_t markers = 0;   ///< number of overflow markers that it wrote
  std::uint64_t stalls = 0;    ///< number of times that it began to hold messages
  Time stalled;                ///< time for which the node waited, up to the horizon
  std::uint64_t peak_fifo_bytes = 0;
  std::uint64_t peak_link_words = 0;
  bool operator==(const TraceSourceCounts&) const = default;
};

/// written = lost + held + inside + in_sink + delivered;
/// stream_bytes = lost_stream_bytes + in_sink_bytes + delivered_bytes.
struct TraceFunnelCounts {
  TraceVolume written;
  std::array<TraceVolume, trace_loss_causes> lost;
  TraceVolume held;
  TraceVolume inside;
  TraceVolume in_sink; ///< formatted, with bytes in the unfinished frame, the buffer or a burst
  TraceVolume delivered;
  std::uint64_t encoded_bytes = 0;
  std::uint64_t stream_bytes = 0; ///< bytes that left the formatter
  // Parts of stream_bytes:
  std::uint64_t id_bytes = 0;         ///< IDs of sources
  std::uint64_t frame_bits_bytes = 0; ///< the byte of each frame that has neither data nor IDs
  std::uint64_t padding_bytes = 0;    ///< fill flushed frames
  std::uint64_t full_sync_bytes = 0;
  std::uint64_t delivered_bytes = 0;
  std::array<std::uint64_t, trace_loss_causes> lost_stream_bytes{}; ///< sink_full and overwritten
  std::uint64_t in_sink_bytes = 0;                                  ///< bytes in the buffer or in a burst
  std::uint64_t bursts = 0;
  std::uint64_t flushes = 0;
  std::uint64_t peak_funnel_words = 0; ///< largest number of words at the output of any funnel
  std::uint64_t peak_sink_bytes = 0;
  Time stalled; ///< sum over all sources
  Time end;     ///< arrival of the last burst; 0 if there was none
  bool operator==(const TraceFunnelCounts&) const = default;
};

} // namespace hypermon
