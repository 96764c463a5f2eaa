// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a trace funnel: sources whose messages share links, a formatter and a sink. Defaults are those of a
// CoreSight-like system.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

constexpr auto fields_of(const TraceSourceParams*) {
  using P = TraceSourceParams;
  return fields(
      Field{"fifo_bytes", &P::fifo_bytes, range(8, 1 << 24), "Bytes that the source's own FIFO holds.",
            "facts [CoreSight, ETM]: 24 in a Cortex-M3; [RISC-V, N-Trace]: at least two messages of at most 38; 64: "
            "chosen"},
      Field{"full", &P::full, some<WhenFull::drop_newest, WhenFull::stall>,
            "A message that does not fit is dropped, with all after it until the FIFO has drained; or the node waits.",
            "facts [RISC-V, link rule]: drop, or stall the hart"},
      Field{"resume_bytes", &P::resume_bytes, range(0, 1 << 24),
            "After a drop nothing is taken until so many bytes or fewer are left; then an overflow marker and a "
            "synchronisation message come first.",
            "facts [CoreSight, ETM]: PTM until empty; [RISC-V, link rule]: to a hysteresis level"},
      Field{"port_bytes", &P::port_bytes, power_of_two(1, 16),
            "Bytes that the source gives to its link in a clock period, at most the link's width.",
            "facts [CoreSight, ETM]: 1 a Cortex-M3, 4 an R4"},
      Field{"link_words", &P::link_words, range(2, 1 << 24), "words",
            "Words of the link that fit between the source and its funnel: 2 are a register slice, more a FIFO behind "
            "the source.",
            "facts [CoreSight, where to put FIFOs]; 2: chosen"},
      Field{"priority", &P::priority, range(0, 7), "", "At its funnel; 0 comes first.",
            "facts [CoreSight, funnel]: 3 bits, 0 first"});
}
static_assert(all_members_described<TraceSourceParams>());

constexpr auto fields_of(const TraceProtocolParams*) {
  using P = TraceProtocolParams;
  return fields(
      Field{"encoding", &P::encoding,
            "How messages are written: a header byte for each 8 bytes of data, or 6 bits of data and 2 of framing a "
            "byte.",
            "facts [RISC-V, N-Trace] for nexus; packets: chosen (docs/design/funnel.md)"},
      Field{"source_bits", &P::source_bits, range(0, 12), "bits",
            "Width of a message's source, with encoding = nexus; packets leave it to the formatter.",
            "chosen; at most 12: Trace Control 1.0, trTeSrcBits"},
      Field{"timestamp_ns", &P::timestamp_ns, range(0.1, 1e6), "Resolution of the one counter that all sources share.",
            "facts [CoreSight, ETMv4]: at least 10 % of the CPU's clock; 10: chosen"},
      Field{"timestamp_bits", &P::timestamp_bits, range(16, 64), "bits", "Width of the counter.",
            "facts [CoreSight, ETMv4]: 48 or 64; [RISC-V, N-Trace]: 40 or 48"},
      Field{"sync_counts", &P::sync_counts, "What is counted up to the next synchronisation message of a source.",
            "facts [CoreSight, ETMv4]: bytes; [RISC-V, sync]: messages"},
      Field{"sync_every", &P::sync_every, range(0, 1 << 20), "",
            "So many messages or bytes of a source after its last synchronisation message comes the next; 0: only at "
            "its begin and after a drop.",
            "facts [CoreSight, ETMv4]: 2^8 to 2^20 bytes; [RISC-V, sync]: 2^(m+4) messages, m 0 to 15; 1024: chosen"});
}
static_assert(all_members_described<TraceProtocolParams>());

constexpr auto fields_of(const TraceLinkParams*) {
  using P = TraceLinkParams;
  return fields(Field{"clock_ns", &P::clock_ns, range(0.1, 1000),
                      "Period of the clock of links, funnels, formatter and sink.", "chosen: 250 MHz"},
                Field{"width_bits", &P::width_bits, power_of_two(8, 128), "bits", "A word of the links.",
                      "facts [CoreSight, ATB]: 8, 16, 32, 64 or 128"},
                Field{"inputs", &P::inputs, range(2, 8), "", "Of a funnel; more sources have a tree of funnels.",
                      "facts [CoreSight, funnel]: 2 to 8"},
                Field{"grant", &P::grant,
                      "What a funnel gives an input at a time: words up to its hold, or one whole message.",
                      "facts [CoreSight, funnel] words; [RISC-V, funnel] message"},
                Field{"hold", &P::hold, range(1, 15), "words", "An input's most words in a row while others wait.",
                      "facts [CoreSight, funnel]: HT + 1, 1 to 15, 4 after reset"},
                Field{"hold_counts", &P::hold_counts, "The hold counts words, or cycles, idle ones too.",
                      "facts [CoreSight, funnel]: idle cycles do not count; the old funnel counts cycles"},
                Field{"fifo_words", &P::fifo_words, range(2, 1 << 24), "words",
                      "Words that fit behind each funnel: 2 are a register slice, more a FIFO.",
                      "facts [CoreSight, where to put FIFOs]; 2: chosen"},
                Field{"partial", &P::partial, "A word that is not full goes on at once, or when it is full or flushed.",
                      "chosen"},
                Field{"flush_us", &P::flush_us, range(0, 1e9), "The links are flushed this often; 0: at the end alone.",
                      "chosen"});
}
static_assert(all_members_described<TraceLinkParams>());

constexpr auto fields_of(const TraceFormatterParams*) {
  using P = TraceFormatterParams;
  return fields(
      Field{"format", &P::format,
            "Frames of 16 bytes that say whose each byte is, or messages as they are (encoding = nexus, grant = "
            "message).",
            "facts [CoreSight, formatter]; [RISC-V, N-Trace]: none"},
      Field{"repeat_id_frames", &P::repeat_id_frames, range(1, 1 << 16), "frames",
            "The source's number is said again after so many frames.", "facts [CoreSight, formatter]: 8"},
      Field{"sync_frames", &P::sync_frames, range(0, 4096), "frames",
            "A full synchronisation packet comes before every so many frames; 0: none.",
            "facts [CoreSight, formatter]: 64, at most 4096"});
}
static_assert(all_members_described<TraceFormatterParams>());

constexpr auto fields_of(const TraceSinkParams*) {
  using P = TraceSinkParams;
  return fields(
      Field{"buffer_bytes", &P::buffer_bytes, range(64, 4e9), "Bytes that the sink's buffer holds.",
            "facts [CoreSight, ETF]: 512 B to 4 GB; 8 KB Zynq UltraScale+"},
      Field{"full", &P::full,
            "A full buffer drops what comes (with reads = at_end: it stops), overwrites the oldest, or holds the "
            "formatter back.",
            "facts [CoreSight, ETF]: circular overwrites, a hardware FIFO holds back"},
      Field{"reads", &P::reads, "Bursts leave while the sources write, or when they have ended.", "chosen"},
      Field{"burst_bytes", &P::burst_bytes, range(1, 4096), "Of a burst that leaves the buffer.",
            "chosen: a memory's burst; of a narrow port, a frame"},
      Field{"burst_ns", &P::burst_ns, range(0.1, 1e9), "From a burst's begin to the next one's, in whole clocks.",
            "chosen: 1 GB/s"},
      Field{"latency_ns", &P::latency_ns, range(0, 1e9), "From a burst's end to its place with the analyst.", "chosen"},
      Field{"bursts_in_flight", &P::bursts_in_flight, range(1, 1 << 16), "bursts",
            "Begun and not yet arrived, at most.", "facts [CoreSight, ETR]: 32 writes"},
      Field{"blackout_at_ms", &P::blackout_at_ms, range(0, 1e9), "The sink begins no burst from this time on.",
            "chosen"},
      Field{"blackout_for_ms", &P::blackout_for_ms, range(0, 1e9), "For so long; 0 is not at all.", "chosen"},
      Field{"blackout_every_ms", &P::blackout_every_ms, range(0, 1e9), "And again so long after it; 0 is once.",
            "chosen"},
      Field{"blackouts_ms", &P::blackouts_ms, any_value(), "ms",
            "More of them, as BEGIN+LENGTH with blanks between: \"1.5+0.25 7+1\".", "chosen"});
}
static_assert(all_members_described<TraceSinkParams>());

} // namespace hypermon
