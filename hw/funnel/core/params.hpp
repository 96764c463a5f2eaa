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

/// packets: one header byte for each 8 bytes of data. nexus: each byte has 6 bits of data and 2 of framing.
enum class TraceEncoding : std::uint8_t { packets, nexus };
constexpr auto words_of(TraceEncoding) { return words("packets", "nexus"); }

/// Unit in which the distance to the next synchronisation message is counted.
enum class SyncCounts : std::uint8_t { messages, bytes };
constexpr auto words_of(SyncCounts) { return words("messages", "bytes"); }

/// Unit of a grant to a funnel's input: words up to its hold, or one message.
enum class TraceGrant : std::uint8_t { words, message };
constexpr auto words_of(TraceGrant) { return hypermon::words("words", "message"); }

enum class HoldCounts : std::uint8_t { words, cycles };
constexpr auto words_of(HoldCounts) { return hypermon::words("words", "cycles"); }

/// When a partly filled word may be forwarded.
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
      Field{"fifo_bytes", &P::fifo_bytes, range(8, 1 << 24), "Capacity of the FIFO in each trace source.",
            "facts [CoreSight, ETM]: 24 in a Cortex-M3; [RISC-V, N-Trace]: at least two messages of at most 38; 64: "
            "chosen"},
      Field{"full", &P::full, some<WhenFull::drop_newest, WhenFull::stall>,
            "Behaviour of a trace source whose FIFO has no room for a message. drop: the message is lost, and so are "
            "all later ones until the FIFO has drained. stall: the node waits.",
            "facts [RISC-V, link rule]: drop, or stall the hart"},
      Field{"resume_bytes", &P::resume_bytes, range(0, 1 << 24),
            "Fill level of a source's FIFO at or below which the source accepts messages again after a drop. An "
            "overflow marker and a synchronisation message come first.",
            "facts [CoreSight, ETM]: PTM until empty; [RISC-V, link rule]: to a hysteresis level"},
      Field{"port_bytes", &P::port_bytes, power_of_two(1, 16),
            "Bytes that a source passes to its link in one clock period, at most the link's width.",
            "facts [CoreSight, ETM]: 1 a Cortex-M3, 4 an R4"},
      Field{"link_words", &P::link_words, range(2, 1 << 24), "words",
            "Words that fit between a source and its funnel. 2 is a register slice; more is a FIFO behind the source.",
            "facts [CoreSight, where to put FIFOs]; 2: chosen"},
      Field{"priority", &P::priority, range(0, 7), "", "Priority of a source at its funnel; 0 is the highest.",
            "facts [CoreSight, funnel]: 3 bits, 0 first"});
}
static_assert(all_members_described<TraceSourceParams>());

constexpr auto fields_of(const TraceProtocolParams*) {
  using P = TraceProtocolParams;
  return fields(
      Field{"encoding", &P::encoding,
            "Encoding of trace messages. packets: a header byte for each 8 bytes of data. nexus: each byte has 6 bits "
            "of data and 2 bits of framing.",
            "facts [RISC-V, N-Trace] for nexus; packets: chosen (docs/design/funnel.md)"},
      Field{"source_bits", &P::source_bits, range(0, 12), "bits",
            "Width of the source number in a message with funnel_protocol.encoding = nexus. With packets the formatter "
            "adds the source.",
            "chosen; at most 12: Trace Control 1.0, trTeSrcBits"},
      Field{"timestamp_ns", &P::timestamp_ns, range(0.1, 1e6),
            "Resolution of the timestamp counter that all sources share.",
            "facts [CoreSight, ETMv4]: at least 10 % of the CPU's clock; 10: chosen"},
      Field{"timestamp_bits", &P::timestamp_bits, range(16, 64), "bits",
            "Width of the timestamp counter that all sources share.",
            "facts [CoreSight, ETMv4]: 48 or 64; [RISC-V, N-Trace]: 40 or 48"},
      Field{"sync_counts", &P::sync_counts,
            "Quantity that funnel_protocol.sync_every counts: the source's messages, or their bytes.",
            "facts [CoreSight, ETMv4]: bytes; [RISC-V, sync]: messages"},
      Field{"sync_every", &P::sync_every, range(0, 1 << 20), "",
            "Messages or bytes of a source between two synchronisation messages. A smaller value costs bandwidth and "
            "loses less after a gap. 0: only at the beginning and after a drop.",
            "facts [CoreSight, ETMv4]: 2^8 to 2^20 bytes; [RISC-V, sync]: 2^(m+4) messages, m 0 to 15; 1024: chosen"});
}
static_assert(all_members_described<TraceProtocolParams>());

constexpr auto fields_of(const TraceLinkParams*) {
  using P = TraceLinkParams;
  return fields(
      Field{"clock_ns", &P::clock_ns, range(0.1, 1000), "Clock period of links, funnels, formatter and sink.",
            "chosen: 250 MHz"},
      Field{"width_bits", &P::width_bits, power_of_two(8, 128), "bits", "Width of a link: bits of one word.",
            "facts [CoreSight, ATB]: 8, 16, 32, 64 or 128"},
      Field{"inputs", &P::inputs, range(2, 8), "",
            "Number of inputs of a funnel. More sources than inputs need a tree of funnels.",
            "facts [CoreSight, funnel]: 2 to 8"},
      Field{"grant", &P::grant,
            "Unit in which a funnel serves its inputs. words: up to funnel_link.hold words from one input. message: "
            "one whole message.",
            "facts [CoreSight, funnel] words; [RISC-V, funnel] message"},
      Field{
          "hold", &P::hold, range(1, 15), "words",
          "Largest number of words, or of cycles, that a funnel takes from one input in a row while other inputs wait.",
          "facts [CoreSight, funnel]: HT + 1, 1 to 15, 4 after reset"},
      Field{"hold_counts", &P::hold_counts,
            "Unit of funnel_link.hold. words: idle cycles do not count. cycles: idle cycles count too.",
            "facts [CoreSight, funnel]: idle cycles do not count; the old funnel counts cycles"},
      Field{"fifo_words", &P::fifo_words, range(2, 1 << 24), "words",
            "Words that fit behind each funnel. 2 is a register slice; more is a FIFO.",
            "facts [CoreSight, where to put FIFOs]; 2: chosen"},
      Field{"partial", &P::partial,
            "Time at which a word that is not full may leave its link. at_once: immediately. at_flush: when it is full "
            "or flushed.",
            "chosen"},
      Field{"flush_us", &P::flush_us, range(0, 1e9),
            "Period at which the links are flushed. 0: only at the end of the run.", "chosen"});
}
static_assert(all_members_described<TraceLinkParams>());

constexpr auto fields_of(const TraceFormatterParams*) {
  using P = TraceFormatterParams;
  return fields(
      Field{"format", &P::format,
            "Format of the formatter's output. frames: frames of 16 bytes that name the source of each byte. none: "
            "messages unchanged; needs funnel_protocol.encoding = nexus and funnel_link.grant = message.",
            "facts [CoreSight, formatter]; [RISC-V, N-Trace]: none"},
      Field{"repeat_id_frames", &P::repeat_id_frames, range(1, 1 << 16), "frames",
            "Number of frames after which the formatter repeats the number of the current source.",
            "facts [CoreSight, formatter]: 8"},
      Field{"sync_frames", &P::sync_frames, range(0, 4096), "frames",
            "Number of frames between two full synchronisation packets. 0: none.",
            "facts [CoreSight, formatter]: 64, at most 4096"});
}
static_assert(all_members_described<TraceFormatterParams>());

constexpr auto fields_of(const TraceSinkParams*) {
  using P = TraceSinkParams;
  return fields(
      Field{"buffer_bytes", &P::buffer_bytes, range(64, 4e9), "Capacity of the sink's buffer.",
            "facts [CoreSight, ETF]: 512 B to 4 GB; 8 KB Zynq UltraScale+"},
      Field{"full", &P::full,
            "Behaviour of a sink whose buffer is full. drop: new data are lost; with funnel_sink.reads = at_end the "
            "sink stops. drop_oldest: the oldest data are overwritten. stall: the formatter waits.",
            "facts [CoreSight, ETF]: a circular buffer overwrites, a hardware FIFO stalls"},
      Field{"reads", &P::reads,
            "Time at which the sink's buffer is read. streaming: in bursts while the sources write. at_end: after they "
            "have ended.",
            "chosen"},
      Field{"burst_bytes", &P::burst_bytes, range(1, 4096), "Bytes of one burst from the sink's buffer.",
            "chosen: the burst of a memory; for a narrow port, one frame"},
      Field{"burst_ns", &P::burst_ns, range(0.1, 1e9),
            "Time from the beginning of one burst to that of the next, rounded up to whole clock periods. With "
            "funnel_sink.burst_bytes it sets the rate at which the sink drains.",
            "chosen: 1 GB/s"},
      Field{"latency_ns", &P::latency_ns, range(0, 1e9),
            "Time from the end of a burst until its bytes have reached the analyst.", "chosen"},
      Field{"bursts_in_flight", &P::bursts_in_flight, range(1, 1 << 16), "bursts",
            "Largest number of bursts that have begun and not yet arrived.", "facts [CoreSight, ETR]: 32 writes"},
      Field{"blackout_at_ms", &P::blackout_at_ms, range(0, 1e9),
            "Beginning of a blackout, during which the sink begins no burst. It has an effect only with "
            "funnel_sink.blackout_for_ms above 0.",
            "chosen"},
      Field{"blackout_for_ms", &P::blackout_for_ms, range(0, 1e9),
            "Length of a blackout, during which the sink begins no burst. 0: no blackout.", "chosen"},
      Field{"blackout_every_ms", &P::blackout_every_ms, range(0, 1e9),
            "Time from the beginning of one blackout to that of the next. 0: a single blackout.", "chosen"},
      Field{"blackouts_ms", &P::blackouts_ms, any_value(), "ms",
            "Further blackouts, each as BEGIN+LENGTH in ms, separated by blanks: \"1.5+0.25 7+1\".", "chosen"});
}
static_assert(all_members_described<TraceSinkParams>());

} // namespace hypermon
