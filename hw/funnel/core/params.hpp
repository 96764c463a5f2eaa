// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a trace funnel: sources whose messages share links, a formatter and a sink. Defaults are those of a
// CoreSight-like system.
#pragma once
#include "base/choice.hpp"
#include "base/fifo.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// packets: a byte of header for each 8 of data. nexus: 6 bits of data and 2 of framing in each byte.
enum class TraceEncoding : std::uint8_t { packets, nexus };
constexpr auto words_of(TraceEncoding) { return words("packets", "nexus"); }

/// What is counted up to the next synchronisation message.
enum class SyncCounts : std::uint8_t { messages, bytes };
constexpr auto words_of(SyncCounts) { return words("messages", "bytes"); }

/// What an input of a funnel is granted at a time: words up to its hold, or one message.
enum class TraceGrant : std::uint8_t { words, message };
constexpr auto words_of(TraceGrant) { return hypermon::words("words", "message"); }

enum class HoldCounts : std::uint8_t { words, cycles };
constexpr auto words_of(HoldCounts) { return hypermon::words("words", "cycles"); }

/// When a word that is not full may go on.
enum class PartialWords : std::uint8_t { at_once, at_flush };
constexpr auto words_of(PartialWords) { return words("at_once", "at_flush"); }

enum class TraceFormat : std::uint8_t { frames, none };
constexpr auto words_of(TraceFormat) { return words("frames", "none"); }

enum class SinkReads : std::uint8_t { streaming, at_end };
constexpr auto words_of(SinkReads) { return words("streaming", "at_end"); }

struct TraceSourceParams {
  Bytes fifo_bytes = 64;
  WhenFull full = WhenFull::drop_newest;
  Bytes resume_bytes = 0;
  Bytes port_bytes = 4;
  std::int64_t link_words = 2;
  std::int64_t priority = 0;
};

struct TraceProtocolParams {
  TraceEncoding encoding = TraceEncoding::packets;
  std::int64_t source_bits = 6;
  Nanoseconds timestamp_ns = 10;
  std::int64_t timestamp_bits = 48;
  SyncCounts sync_counts = SyncCounts::bytes;
  std::int64_t sync_every = 1024;
};

struct TraceLinkParams {
  Nanoseconds clock_ns = 4;
  std::int64_t width_bits = 32;
  std::int64_t inputs = 8;
  TraceGrant grant = TraceGrant::words;
  std::int64_t hold = 4;
  HoldCounts hold_counts = HoldCounts::words;
  std::int64_t fifo_words = 2;
  PartialWords partial = PartialWords::at_once;
  Microseconds flush_us = 0;
};

struct TraceFormatterParams {
  TraceFormat format = TraceFormat::frames;
  std::int64_t repeat_id_frames = 8;
  std::int64_t sync_frames = 64;
};

struct TraceSinkParams {
  Bytes buffer_bytes = 8192;
  WhenFull full = WhenFull::stall;
  SinkReads reads = SinkReads::streaming;
  Bytes burst_bytes = 64;
  Nanoseconds burst_ns = 64;
  Nanoseconds latency_ns = 0;
  std::int64_t bursts_in_flight = 32;
  Milliseconds blackout_at_ms = 0;
  Milliseconds blackout_for_ms = 0;
  Milliseconds blackout_every_ms = 0;
  std::string blackouts_ms;
};

} // namespace hypermon
