// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the capture hardware (docs/reference/contract.md, sections 1 to 5). Defaults are the prototype.
#pragma once
#include "base/field.hpp"
#include "base/fifo.hpp"
#include "base/quantity.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace hypermon {

/// A node's performance port and the loop that writes to it.
struct PortParams {
  Nanoseconds nibble_cost_ns = 8850;
  std::int64_t delay = 20;
  Nanoseconds delay_iteration_ns = 864.5;
  std::int64_t width_bits = 4;
};

/// How a part of the capture hardware is simulated.
enum class DetailLevel : std::uint8_t { functional, transactions, rtl };
constexpr auto words_of(DetailLevel) { return words("functional", "transactions", "rtl"); }

/// Backplane of the cabinet, with the ports before it and the event regeneration boards behind it.
struct BackplaneParams {
  DetailLevel level = DetailLevel::functional;
};

/// Event regeneration board.
struct ErbParams {
  WholeNanoseconds propagation_ns = 0;
  WholeNanoseconds skew_ns = 0;
  WholeNanoseconds setup_ns = 0;
  WholeNanoseconds min_pulse_ns = 0;
  WholeNanoseconds narrowing_ns = 0;
  WholeNanoseconds pulse_ns = 0;
  std::int64_t seed = 1;
};

/// Selects the frames that have a timestamp.
enum class TimestampPolicy : std::uint8_t { every, on_request };
constexpr auto words_of(TimestampPolicy) { return words("every", "on_request"); }

/// Comparison of a user's board with the functional model.
enum class Lockstep : std::uint8_t { none, count, stop };
constexpr auto words_of(Lockstep) { return words("none", "count", "stop"); }

/// Event capture board.
struct EcbParams {
  DetailLevel level = DetailLevel::functional;
  WholeNanoseconds window_ns = 800;
  std::int64_t inputs = 16;
  std::int64_t node_fifo_entries = 64;
  std::int64_t vector_fifo_entries = 64;
  std::int64_t frame_fifo_frames = 1024;
  std::int64_t builder_cycles = 8;
  std::int64_t accumulate_bits = 0;
  TimestampPolicy timestamp_policy = TimestampPolicy::every;
  std::int64_t timestamp_bits = 32;
  bool wrap_frames = false;
  WholeNanoseconds reset_skew_ns = 0;
  WhenFull node_fifo_full = WhenFull::drop_newest;
  WhenFull vector_fifo_full = WhenFull::drop_newest;
  WhenFull frame_fifo_full = WhenFull::drop_newest;
  std::string module{};
  std::string module_options{};
  std::string rtl{};
  std::string rtl_top{};
  std::string rtl_parameters{};
  Lockstep lockstep = Lockstep::none;
  bool lockstep_times = true;
};

/// Bus between the capture board and the I/O node.
struct PbxParams {
  DetailLevel level = DetailLevel::functional;
  WholeNanoseconds word_ns = 800;
  WholeNanoseconds burst_start_ns = 0;
  WholeNanoseconds register_read_ns = 0;
  WholeNanoseconds register_write_ns = 0;
  std::string module{};
};

enum class ReaderKind : std::uint8_t { ideal, group };
constexpr auto words_of(ReaderKind) { return words("ideal", "group"); }

/// The program in the I/O node that reads frames.
struct ReaderParams {
  ReaderKind kind = ReaderKind::ideal;
  WholeNanoseconds group_ns = 0;
  WholeNanoseconds frame_ns = 0;
  WholeNanoseconds stall_ns = 0;
  std::int64_t stall_every_frames = 0;
};

constexpr auto fields_of(const PortParams*) {
  return fields(Field{"nibble_cost_ns", &PortParams::nibble_cost_ns, range(750, 1e6),
                      "CPU time of writing one nibble without delay: a shift, a mask and two I/O writes. The strobe "
                      "rises at its end.",
                      "HYPERMON fig. 8: 113 000 frames/s (8850); sec. 5.1: 88.5 s for 8 million nibbles (11060, preset "
                      "port/section51)"},
                Field{"delay", &PortParams::delay, range(0, 1000000), "iterations",
                      "Iterations of a null loop after each nibble. More iterations slow the program and lower the "
                      "event rate at the board.",
                      "HYPERMON sec. 5.2.1: 20 for all of Table 2"},
                Field{"delay_iteration_ns", &PortParams::delay_iteration_ns, range(0, 1e6),
                      "CPU time of one null-loop iteration.",
                      "calibrated on Table 2 hardware times of all programs on 1 node: (26.14 us - nibble_cost) / 20"},
                Field{"width_bits", &PortParams::width_bits, power_of_two(4, 32), "bits",
                      "Event data bits that one strobe carries. The cost of a datum does not depend on it.",
                      "HYPERMON sec. 3.1: 4; sec. 6 asks for more"});
}
static_assert(all_members_described<PortParams>());

/// Levels of runs that name none.
inline constexpr std::array implied_board_levels{Implied{"ecb.rtl", "rtl"}, Implied{"ecb.module", "transactions"},
                                                 Implied{"pbx.module", "transactions"},
                                                 Implied{"dma.words", "transactions"}};
inline constexpr std::array implied_backplane_levels{Implied{"ecb.node_fifo_full", "functional", "stall"},
                                                     Implied{"ecb.level", "transactions", "transactions"},
                                                     Implied{"ecb.level", "transactions", "rtl"}};
inline constexpr std::array implied_bus_levels{Implied{"ecb.level", "transactions", "transactions"},
                                               Implied{"ecb.level", "transactions", "rtl"},
                                               Implied{"pbx.module", "transactions"}};

constexpr auto fields_of(const BackplaneParams*) {
  return fields(Field{"level", &BackplaneParams::level, some<DetailLevel::functional, DetailLevel::transactions>,
                      "Level of detail of ports, backplane and event regeneration boards. functional: a burst of "
                      "strobes is one transaction. transactions: each strobe is a timed TLM transaction of its own. "
                      "Results are equal. Default: transactions if ecb.level is transactions or rtl and no board has "
                      "ecb.node_fifo_full = stall; functional otherwise.",
                      "chosen"}
                    .implied_by(implied_backplane_levels));
}
static_assert(all_members_described<BackplaneParams>());

constexpr auto fields_of(const ErbParams*) {
  return fields(Field{"propagation_ns", &ErbParams::propagation_ns, range(0, 1e6),
                      "Constant delay of strobe and data through the event regeneration board.",
                      "assumed 0 (spec sec. 5)"},
                Field{"skew_ns", &ErbParams::skew_ns, range(0, 375),
                      "Largest additional delay of a line from a port through the event regeneration board. Each "
                      "strobe line and each data line has a random share of it.",
                      "assumed 0 (spec sec. 5)"},
                Field{"setup_ns", &ErbParams::setup_ns, range(0, 375),
                      "Time for which a data line must be stable before the event regeneration board samples it with "
                      "the strobe. A bit that arrives later is read as that of the node's previous datum.",
                      "assumed 0 (spec sec. 5)"},
                Field{"min_pulse_ns", &ErbParams::min_pulse_ns, range(0, 375),
                      "Shortest pulse of a strobe line that the event regeneration board regenerates. A port's pulse "
                      "is 375 ns long, one I/O write. A strobe with a shorter pulse is lost.",
                      "assumed 0 (spec sec. 5)"},
                Field{"narrowing_ns", &ErbParams::narrowing_ns, range(0, 375),
                      "Largest time by which a strobe line narrows the pulses of its port. Each line has a random "
                      "share of it.",
                      "assumed 0 (spec sec. 5)"},
                Field{"pulse_ns", &ErbParams::pulse_ns, range(0, 1e6),
                      "Width of the strobe pulse that the event regeneration board makes. A strobe of the same node "
                      "that comes before the end of this pulse is lost.",
                      "assumed 0 (spec sec. 5)"},
                Field{"seed", &ErbParams::seed, range(0, 2147483647), "",
                      "Seed of the lines' shares of erb.skew_ns and erb.narrowing_ns.", "chosen"});
}
static_assert(all_members_described<ErbParams>());

constexpr auto fields_of(const EcbParams*) {
  return fields(
      Field{"level", &EcbParams::level,
            "Level of detail of the boards. functional: each call simulates many frames. transactions: a process "
            "follows SystemC's time from event to event, and other bus modules may delay the accesses. rtl: a board in "
            "Verilog, that of ecb.rtl or hypermon's own. Results are equal where no module delays an access. Default: "
            "rtl with ecb.rtl; transactions with ecb.module, pbx.module or dma.words; functional otherwise.",
            "chosen"}
          .same_of_all()
          .implied_by(implied_board_levels),
      Field{"window_ns", &EcbParams::window_ns, range(50, 1e9, 50),
            "Synchronisation period of the board, which is also the resolution of its timestamps.",
            "HYPERMON sec. 3.2.1: 800, jumpers 400 and 200"},
      Field{"inputs", &EcbParams::inputs, range(1, 32), "nodes",
            "Number of nodes that one board captures. A larger machine has several boards.",
            "HYPERMON sec. 3.1: 16 of the backplane's 32 slots"}
          .same_of_all(),
      Field{"node_fifo_entries", &EcbParams::node_fifo_entries, range(1, 1 << 24), "nibbles",
            "Depth of each node FIFO.", "HYPERMON sec. 3.2.1"},
      Field{"vector_fifo_entries", &EcbParams::vector_fifo_entries, range(1, 1 << 24), "vectors",
            "Depth of the FIFOs of strobe vectors and timestamps.", "chosen (spec sec. 2)"},
      Field{"frame_fifo_frames", &EcbParams::frame_fifo_frames, range(1, 1 << 24), "frames",
            "Depth of the frame FIFO. A deeper FIFO holds longer bursts without loss.", "HYPERMON sec. 5.1: 1K frames"},
      Field{"builder_cycles", &EcbParams::builder_cycles, range(1, 1 << 16), "cycles",
            "Cycles of the 20 MHz clock that the frame builder needs for one frame.", "HYPERMON sec. 5.1"},
      Field{"accumulate_bits", &EcbParams::accumulate_bits, range(0, 32, 32), "bits",
            "Width of the word that an input collects before it enters the node FIFO. The word is stamped when it is "
            "complete. 0: each datum enters by itself.",
            "HYPERMON sec. 6; the prototype has none"},
      Field{"timestamp_policy", &EcbParams::timestamp_policy,
            "Frames that carry a timestamp. every: all frames. on_request: frames with a datum that the software "
            "flagged.",
            "HYPERMON sec. 6; the prototype stamps every frame"},
      Field{"timestamp_bits", &EcbParams::timestamp_bits, range(1, 64), "bits", "Width of the timestamp in a frame.",
            "HYPERMON sec. 3.2.1: 32"},
      Field{
          "wrap_frames", &EcbParams::wrap_frames, any_value(), "",
          "Write an empty frame whenever the timestamp wraps, so that timestamps stay unambiguous across long silence.",
          "spec sec. 6"},
      Field{"reset_skew_ns", &EcbParams::reset_skew_ns, range(0, 1e9),
            "Largest time by which a board begins to count before time 0. One line resets all boards, and each board "
            "begins early by a random share of this value.",
            "spec sec. 6"}
          .same_of_all(),
      Field{"node_fifo_full", &EcbParams::node_fifo_full, some<WhenFull::drop_newest, WhenFull::stall>,
            "Behaviour of a full node FIFO. drop: the newest datum is lost. stall: the node's write waits.",
            "spec secs. 2 and 6"},
      Field{"vector_fifo_full", &EcbParams::vector_fifo_full, some<WhenFull::drop_newest, WhenFull::drop_oldest>,
            "Behaviour of a full strobe-vector FIFO. drop: the newest window is lost. drop_oldest: the oldest one is "
            "lost.",
            "spec secs. 2 and 6"},
      Field{"frame_fifo_full", &EcbParams::frame_fifo_full,
            "Behaviour of a full frame FIFO. drop: the newest frame is lost. drop_oldest: the oldest frame that is not "
            "being read is lost. stall: the frame builder waits.",
            "spec secs. 2 and 6"},
      Field{"module", &EcbParams::module, file(), "",
            "Shared object with a capture board of your own that replaces hypermon's (see docs/how-to/own-board.md). "
            "Empty: none. Needs ecb.level = transactions.",
            "chosen"}
          .same_of_all()
          .that_runs("The shared object: its code runs as soon as it is loaded, then its board."),
      Field{"module_options", &EcbParams::module_options, any_value(), "",
            "Text that the board of ecb.module receives as written.", "chosen"}
          .same_of_all(),
      Field{"rtl", &EcbParams::rtl, program(), "",
            "Capture board of your own in Verilog or SystemVerilog that replaces hypermon's: a source, or a file (.f) "
            "with Verilator's options that names the sources (see docs/how-to/own-rtl.md). Empty: hypermon's own, with "
            "ecb.level = rtl. A source needs ecb.level = rtl.",
            "chosen"}
          .same_of_all()
          .that_runs("Verilator and the compiler on sources, then the board. A shared object's code runs as soon as it "
                     "is loaded."),
      Field{"rtl_top", &EcbParams::rtl_top, any_value(), "",
            "Name of the top module of ecb.rtl. Empty: Verilator finds the module that no other one contains.",
            "chosen"}
          .same_of_all(),
      Field{
          "rtl_parameters", &EcbParams::rtl_parameters, assignments(), "",
          "Values of parameters of the top module of ecb.rtl. Parameters named as those of hypermon's capture_board.v "
          "have the run's values by default.",
          "chosen"}
          .same_of_all(),
      Field{"lockstep", &EcbParams::lockstep,
            "Comparison of a board of your own (ecb.module, ecb.rtl) with hypermon's functional model on the same "
            "strobes. none: no comparison. count: the result counts the differences. stop: the run ends at the first "
            "one.",
            "chosen"}
          .same_of_all(),
      Field{"lockstep_times", &EcbParams::lockstep_times, any_value(), "",
            "Compare also the times at which frames are read (ecb.lockstep). Set it to false for a board that is "
            "allowed to deliver its frames earlier or later than the model.",
            "chosen"}
          .same_of_all());
}
static_assert(all_members_described<EcbParams>());

constexpr auto fields_of(const PbxParams*) {
  return fields(Field{"level", &PbxParams::level, some<DetailLevel::functional, DetailLevel::transactions>,
                      "Level of detail of bus and I/O node. functional: one transaction collects many frames. "
                      "transactions: each access of the drain program is a timed TLM transaction. Results are equal "
                      "where no module delays an access. Default: transactions with pbx.module, or if ecb.level is "
                      "transactions or rtl; functional otherwise.",
                      "chosen"}
                    .implied_by(implied_bus_levels),
                Field{"word_ns", &PbxParams::word_ns, range(1, 1e6), "Time of one 32-bit word on the PBX bus.",
                      "HYPERMON sec. 5.1: 5 MB/s measured (800); 8 MB/s with overheads (500); 18 MB/s peak (222)"},
                Field{"burst_start_ns", &PbxParams::burst_start_ns, range(0, 1e6),
                      "Additional time of the first word of each burst on the PBX bus: a frame, or a burst of the "
                      "second master.",
                      "assumed 0 (spec sec. 3)"},
                Field{"register_read_ns", &PbxParams::register_read_ns, range(0, 1e6),
                      "Time of one read of the status or frame-count register, with reader.kind = group. The drain "
                      "program then polls once in this time instead of at every clock edge.",
                      "assumed 0 (spec sec. 3)"},
                Field{"register_write_ns", &PbxParams::register_write_ns, range(0, 1e6),
                      "Time of one write of the control register, with reader.kind = group. The drain program "
                      "continues after it.",
                      "assumed 0 (spec sec. 3)"},
                Field{"module", &PbxParams::module, file(), "",
                      "Shared object with modules of your own between each I/O node and its PBX (see "
                      "docs/how-to/own-module.md). Empty: none. Needs pbx.level = transactions.",
                      "chosen"}
                    .that_runs("The shared object: its code runs as soon as it is loaded, then its modules."));
}
static_assert(all_members_described<PbxParams>());

constexpr auto fields_of(const ReaderParams*) {
  return fields(
      Field{"kind", &ReaderParams::kind,
            "Loop that reads the frame FIFO. ideal: reads a frame whenever one waits, at no cost. group: the "
            "prototype's program, which reads the number of waiting frames, then these frames.",
            "spec sec. 3"},
      Field{"group_ns", &ReaderParams::group_ns, range(0, 1e9),
            "Time of reading status and frame count before the first frame of a group, with reader.kind = group.",
            "assumed 0"},
      Field{"frame_ns", &ReaderParams::frame_ns, range(0, 1e9),
            "Time after the last word of each frame, with reader.kind = group.", "assumed 0"},
      Field{"stall_ns", &ReaderParams::stall_ns, range(0, 1e10),
            "Length of a pause of the group reader. It begins at the end of the group in which "
            "reader.stall_every_frames frames have been read since the last pause.",
            "assumed 0"},
      Field{"stall_every_frames", &ReaderParams::stall_every_frames, range(0, 1e9), "frames",
            "Frames between two pauses of the group reader. 0: no pauses.", "assumed 0"});
}
static_assert(all_members_described<ReaderParams>());

} // namespace hypermon
