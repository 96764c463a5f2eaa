// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each design of CMakeLists.txt: RTL_NAME, RTL_MODEL (Verilator's class), RTL_HEADER, and the
// parameters of the Verilog module as RTL_INPUTS and so on.
#include RTL_HEADER
#include "tests/monitors/hypermon/rtl/rtl_design.hpp"
#include "hw/hypermon/rtl_board/rtl_board.hpp"
#include "tests/monitors/hypermon/rtl/nodes_and_reader.hpp"
#include <array>
#include <bit>
#include <memory>
#include <type_traits>
#include <verilated.h>

namespace hypermon::testing {
namespace {

/// Pins of at most 64 bits are integers, wider ones arrays of 32-bit words.
template <class Pins> void set_datum(Pins& pins, std::size_t input, std::uint32_t datum) {
  const std::size_t bit = input * RTL_WIDTH;
  if constexpr (std::is_integral_v<Pins>)
    pins = static_cast<Pins>(pins | std::uint64_t{datum} << bit);
  else
    pins[bit / 32] |= datum << (bit % 32);
}
template <class Pins> void set_bit(Pins& pins, std::size_t i) {
  pins = static_cast<Pins>(pins | std::uint64_t{1} << i);
}
template <class Pins> void clear(Pins& pins) {
  if constexpr (std::is_integral_v<Pins>)
    pins = 0;
  else
    for (std::size_t i = 0; i < sizeof pins / sizeof(std::uint32_t); ++i) pins[i] = 0;
}

PortParams port_params() {
  PortParams port;
  port.width_bits = RTL_WIDTH;
  return port;
}
EcbParams ecb_params() {
  EcbParams ecb;
  ecb.inputs = RTL_INPUTS;
  ecb.window_ns = RTL_WINDOW_CYCLES * 50;
  ecb.node_fifo_entries = RTL_NODE_ENTRIES;
  ecb.vector_fifo_entries = RTL_VECTOR_ENTRIES;
  ecb.frame_fifo_frames = RTL_FRAMES;
  ecb.builder_cycles = RTL_BUILDER_CYCLES;
  ecb.accumulate_bits = RTL_DATA_PER_WORD == 1 ? 0 : 32;
  ecb.timestamp_bits = RTL_TIMESTAMP_BITS;
  ecb.timestamp_policy = RTL_STAMP_ON_REQUEST != 0 ? TimestampPolicy::on_request : TimestampPolicy::every;
  ecb.node_fifo_full = RTL_NODE_STALLS != 0 ? WhenFull::stall : WhenFull::drop_newest;
  ecb.vector_fifo_full = RTL_VECTOR_DROPS_OLDEST != 0 ? WhenFull::drop_oldest : WhenFull::drop_newest;
  ecb.frame_fifo_full = RTL_FRAME_STALLS != 0         ? WhenFull::stall
                        : RTL_FRAME_DROPS_OLDEST != 0 ? WhenFull::drop_oldest
                                                      : WhenFull::drop_newest;
  return ecb;
}

class Bench {
public:
  Bench(const PbxParams& pbx, const ReaderParams& reader, std::span<const Burst> bursts, bool skips)
      : format_(port_params(), ecb_params()), reader_(pbx, reader), nodes_(RTL_INPUTS), skips_(skips) {
    for (const Burst& burst : bursts) nodes_[burst.input].add(burst);
  }

  RtlRun run() {
    board_.clock = 0;
    clear_pins();
    board_.reset = 1;
    clock(); // edge 0
    board_.reset = 0;
    while (to_come()) {
      if (skips_ && skip_idle_cycles()) continue;
      one_cycle();
    }
    run_.counts.frames_in_fifo = board_.frames_waiting;
    run_.counts.accumulating = collected();
    return std::move(run_);
  }

private:
  static constexpr std::int64_t window_ps = RTL_WINDOW_CYCLES * clock_ps;

  bool to_come() { return next_strobe() != never || board_.idle == 0 || board_.frames_waiting != 0; }
  std::int64_t next_strobe() const {
    std::int64_t next = never;
    for (const Node& node : nodes_) next = std::min(next, node.due());
    return next;
  }
  std::uint64_t collected() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t strobes : strobes_) sum += strobes % RTL_DATA_PER_WORD;
    return sum;
  }

  void clear_pins() {
    board_.strobe = 0;
    clear(board_.data);
    board_.flag = 0;
    board_.bus_begin = board_.bus_end = board_.bus_write = 0;
    board_.bus_address = 0xC;
    board_.bus_written = 0;
    board_.skip = 0;
  }
  void clock() {
    board_.clock = 1;
    board_.eval();
    board_.clock = 0;
    board_.eval();
    ++run_.cycles_clocked;
  }

  /// Skips cycles until the period of the next strobe, or until the one before an edge at which the reader acts.
  bool skip_idle_cycles() {
    if (board_.idle == 0) return false;
    std::int64_t until = never;
    if (const std::int64_t strobe = next_strobe(); strobe != never) until = strobe / clock_ps;
    if (const std::int64_t act = reader_.next(period_ + 1, board_.frames_waiting); act != never)
      until = std::min(until, act - 1);
    if (until == never || until <= period_ + 1) return false;
    clear_pins();
    board_.skip = 1;
    board_.skip_cycle = static_cast<std::uint32_t>(until % RTL_WINDOW_CYCLES);
    board_.skip_window = static_cast<std::uint64_t>(until / RTL_WINDOW_CYCLES);
    clock();
    board_.skip = 0;
    period_ = until;
    return true;
  }

  /// The period after edge `period_`, and the edge that ends it.
  void one_cycle() {
    const std::int64_t begin = period_ * clock_ps;
    const std::int64_t edge = period_ + 1;
    clear_pins();
    for (std::size_t i = 0; i < RTL_INPUTS; ++i) {
      if (!nodes_[i].due_before(begin + clock_ps)) continue;
      set_bit(board_.strobe, i);
      if (nodes_[i].flagged()) set_bit(board_.flag, i);
      set_datum(board_.data, i, nodes_[i].datum(RTL_WIDTH));
    }
    board_.eval(); // values that are read at this edge
    access(edge);
    board_.eval();
    count(edge);
    for (std::size_t i = 0; i < RTL_INPUTS; ++i) {
      if ((board_.strobe >> i & 1) == 0) continue;
      if ((board_.hold >> i & 1) != 0) {
        nodes_[i].held_until(edge * clock_ps);
      } else {
        nodes_[i].strobed(RTL_WIDTH);
        ++strobes_[i];
      }
    }
    clock();
    period_ = edge;
    run_.counts.peak_frame_fifo = std::max<std::uint64_t>(run_.counts.peak_frame_fifo, board_.frames_waiting);
  }

  void access(std::int64_t edge) {
    const std::size_t index = reader_.word();
    const std::size_t vector_at = format_.data_words();
    const std::uint32_t word = board_.bus_read;
    const std::uint32_t vector_word = index == vector_at ? word : index > vector_at ? words_[vector_at] : 0;
    const bool last = index >= vector_at && index + 1 == format_.words(format_.is_stamped(vector_word));
    const auto access = reader_.at(edge, board_.frames_waiting, last);
    board_.bus_begin = access.begins;
    board_.bus_end = access.ends;
    if (!access.ends) return;
    words_[index] = word;
    if (!last) return;
    run_.frames.push_back({format_.unpack(std::span(words_).first(index + 1)), Time::from_ps(edge * clock_ps)});
    ++run_.counts.drained;
    run_.counts.end = Time::from_ps(edge * clock_ps);
  }

  void count(std::int64_t edge) {
    Counts& counts = run_.counts;
    counts.strobes += ones(board_.strobe & ~board_.hold);
    counts.aliasing += ones(board_.aliased);
    counts.node_overruns += ones(board_.node_overrun);
    counts.windows_lost += board_.window_lost;
    counts.discarded += ones(board_.window_lost_of);
    if (board_.frame_built != 0) {
      ++counts.frames_built;
      counts.merged += ones(board_.frame_built_of) - 1;
    }
    if (board_.frame_lost != 0 && counts.frames_lost++ == 0) counts.first_overrun = Time::from_ps(edge * clock_ps);
  }
  static std::uint64_t ones(std::uint32_t pins) { return static_cast<std::uint64_t>(std::popcount(pins)); }

  VerilatedContext context_;
  RTL_MODEL board_{&context_, "board"};
  FrameFormat format_;
  FrameReader reader_;
  std::vector<Node> nodes_;
  bool skips_;
  std::int64_t period_ = 0;
  std::array<std::uint32_t, FrameFormat::max_words> words_{};
  std::array<std::uint64_t, RTL_INPUTS> strobes_{};
  RtlRun run_;
};

RtlRun run(const PbxParams& pbx, const ReaderParams& reader, std::span<const Burst> bursts, bool skips_idle_cycles) {
  return std::make_unique<Bench>(pbx, reader, bursts, skips_idle_cycles)->run();
}

/// RTL with the required pins and `hold`.
class RequiredPins {
  RTL_MODEL board_;

public:
  RequiredPins(VerilatedContext* context, const char* name) : board_(context, name) { board_.skip = 0; }
  void eval() { board_.eval(); }
  void final() { board_.final(); }

  decltype((board_.clock)) clock = board_.clock;
  decltype((board_.reset)) reset = board_.reset;
  decltype((board_.strobe)) strobe = board_.strobe;
  decltype((board_.data)) data = board_.data;
  decltype((board_.flag)) flag = board_.flag;
  decltype((board_.hold)) hold = board_.hold;
  decltype((board_.bus_begin)) bus_begin = board_.bus_begin;
  decltype((board_.bus_end)) bus_end = board_.bus_end;
  decltype((board_.bus_write)) bus_write = board_.bus_write;
  decltype((board_.bus_address)) bus_address = board_.bus_address;
  decltype((board_.bus_written)) bus_written = board_.bus_written;
  decltype((board_.bus_read)) bus_read = board_.bus_read;
};

} // namespace

RtlDesign RTL_DESIGN() {
  return {RTL_NAME, port_params(), ecb_params(), run, make_rtl_board<RTL_MODEL>, make_rtl_board<RequiredPins>};
}

} // namespace hypermon::testing
