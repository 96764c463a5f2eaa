// SPDX-License-Identifier: BSD-3-Clause
// What a trace funnel counts, as of the last horizon. Bytes of messages are those that the nodes wrote; what encoding,
// formatting and synchronising add is counted apart.
#pragma once
#include "base/time.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace hypermon {

/// Why a message was lost: its source's FIFO had no room, or had not drained since it had none; the sink's buffer had
/// none for bytes of it; these were overwritten there; its bytes arrived, but after others were lost the analyst cannot
/// read it before a sync.
enum class TraceLossCause : std::uint8_t { source_full, sink_full, overwritten, no_sync };
inline constexpr std::size_t trace_loss_causes = 4;
inline constexpr std::array<std::string_view, trace_loss_causes> trace_loss_names{"source_full", "sink_full",
                                                                                  "overwritten", "no_sync"};

struct LostTrace {
  std::uint32_t source;
  std::uint64_t sequence; ///< 0, 1, 2, ...: the n-th message that the source was given
  TraceLossCause cause;
  Time time; ///< of its writing; of the edge at which its last byte was lost, or reached the analyst in vain
  bool operator==(const LostTrace&) const = default;
};

/// A message at the analyst.
struct DeliveredTrace {
  std::uint32_t source;
  std::uint64_t sequence;
  std::uint64_t timestamp; ///< the counter when it entered its source's FIFO, of timestamp_bits
  Time written;
  Time entered; ///< later than written if its source was full and stalls
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
  TraceVolume dropped;             ///< TraceLossCause::source_full
  TraceVolume held;                ///< waits for room in the FIFO
  TraceVolume inside;              ///< in the FIFO or on the links, with at least one byte
  TraceVolume formatted;           ///< all bytes have left the links
  std::uint64_t encoded_bytes = 0; ///< of all messages that entered the FIFO, synchronisation and markers with them
  std::uint64_t syncs = 0;
  std::uint64_t overflows = 0; ///< times that it began to drop
  std::uint64_t markers = 0;   ///< overflow markers that it wrote
  std::uint64_t stalls = 0;    ///< times that it began to hold
  Time stalled;                ///< the node waited, up to the horizon
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
  std::uint64_t stream_bytes = 0; ///< left the formatter
  std::uint64_t id_bytes = 0;     ///< of these: sources' numbers; bits beside the data; what fills up a flushed frame;
  std::uint64_t frame_bits_bytes = 0;
  std::uint64_t padding_bytes = 0;
  std::uint64_t full_sync_bytes = 0;
  std::uint64_t delivered_bytes = 0;
  std::array<std::uint64_t, trace_loss_causes> lost_stream_bytes{}; ///< sink_full and overwritten
  std::uint64_t in_sink_bytes = 0;                                  ///< in the buffer or a burst
  std::uint64_t bursts = 0;
  std::uint64_t flushes = 0;
  std::uint64_t peak_funnel_words = 0; ///< behind any funnel
  std::uint64_t peak_sink_bytes = 0;
  Time stalled; ///< of all sources
  Time end;     ///< when the last burst arrived; 0 if there was none
  bool operator==(const TraceFunnelCounts&) const = default;
};

} // namespace hypermon
