// SPDX-License-Identifier: BSD-3-Clause
// A user's capture board in place of hypermon's, in a run with a program or in the replay of a recording.
// hypermon-sim loads a shared object (ecb.module, or built from ecb.rtl) with one function that makes the board and
// binds it.
//
//   hypermon::OwnBoard* make(const hypermon::BoardPlace& place) {
//     auto* board = new MyBoard("board", place.options);
//     place.strobes.bind(board->strobes);
//     place.bus.attach(board->registers, hypermon::PbxBus::ecb_registers);
//     return board;
//   }
//   HYPERMON_OWN_BOARD(make)
#pragma once
#include "base/losses.hpp"
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/sockets.hpp"
#include <functional>
#include <hypermon_modules_build.hpp>
#include <optional>
#include <string>
#include <systemc>

namespace hypermon {

/// One lost word of one input. With the causes aliasing and node_overrun it is the input's last strobe at or before the
/// time of the loss. With any other cause it is the input's word of `window` that is neither read nor lost;
/// without a `window`, the oldest one of any window. A board that knows no more of a window than the timestamp's bits
/// loses the newest word that fits, or the oldest one if ecb.vector_fifo_full or ecb.frame_fifo_full is drop_oldest.
struct BoardLoss {
  std::uint32_t input;
  LossCause cause;
  std::optional<std::uint64_t> window{}; ///< number of the word's window, or the bits of it that a timestamp has
  /// Time of the strobe (aliasing, node_overrun) or of the edge at which the word is lost. Empty: now.
  std::optional<Time> time{};
};

/// Receives a board's losses and the number of its waiting frames. A word that is in no frame and was not reported is
/// counted as lost in the board, without a cause.
class BoardReports {
public:
  virtual ~BoardReports() = default;
  /// To be called at the time of the loss, or with BoardLoss::time within the clock period that follows.
  virtual void lost(const BoardLoss& loss) = 0;
  /// The number of frames that wait has changed.
  virtual void frames_waiting(std::uint64_t frames) = 0;
};

/// Receives a board's result keys.
class BoardValues {
public:
  virtual ~BoardValues() = default;
  /// `key`: lower case letters, digits and underscores. `unit`: "" for a number without one.
  virtual void add(const std::string& key, double value, const std::string& unit, const std::string& description) = 0;
};

/// Receives the signals that a board shows in the waves of a run, below the scope boardN.own_board. A dot in a name
/// ends a scope.
class TracedSignals {
public:
  virtual ~TracedSignals() = default;
  /// A value of 1 to 64 bits. `read` is called at the end of each instant at which SystemC does anything.
  virtual void add(const std::string& name, unsigned bits, std::function<std::uint64_t()> read) = 0;
  /// Declares a value whose changes the board reports. Returns the signal's number for change().
  virtual std::size_t declare(const std::string& name, unsigned bits) = 0;
  /// `time` may be at most two clock periods ago, and must not decrease.
  virtual void change(std::size_t signal, Time time, std::uint64_t value) = 0;
};

/// Place of a board. References are valid until the board is deleted.
struct BoardPlace {
  std::size_t board;            ///< number of the board in the run
  std::uint32_t inputs;         ///< number of connected nodes, on lines 0 to inputs - 1
  const PortParams& port;       ///< parameters of this run, like ecb and pbx. A board may ignore any of them
  const EcbParams& ecb;         ///< frames have the layout of FrameFormat(port, ecb)
  const PbxParams& pbx;         ///< time of a word on the bus
  const std::string& options;   ///< ecb.module_options
  const std::string& directory; ///< the run directory, for files that the board writes
  /// Must be bound, once. Each strobe is a WRITE of one datum at SystemC's time, without annotation; the address is the
  /// input, and BurstExtension says whether the datum is flagged. Strobes of an input have different times.
  tlm::tlm_initiator_socket<>& strobes;
  /// The bus of the I/O node, whose program expects the board's registers at PbxBus::ecb_registers.
  PbxBus& bus;
  BoardReports& reports;
};

/// A board is a SystemC module and may have any processes. SystemC's time is the simulated time of the run.
class OwnBoard : public sc_core::sc_module {
public:
  using sc_module::sc_module;

  /// Back-pressure: true if the board would not take a strobe on this input now. With ecb.node_fifo_full = stall it is
  /// called at the time of each strobe, before it. The strobe then waits until room() has been notified and holds()
  /// returns false. A board without an event in room() takes every strobe.
  virtual bool holds(std::uint32_t /*input*/) const { return false; }
  virtual const sc_core::sc_event* room() const { return nullptr; }

  /// True if no frame waits, and nothing inside will become a frame without a further strobe. The run ends when all
  /// boards are empty after the last strobe.
  virtual bool empty() const = 0;
  /// Notified when the first frame waits. null: the I/O node's program polls the status register at the rate of its
  /// parameters, which for an ideal reader means at each clock edge.
  virtual const sc_core::sc_event* frame_waits() const { return nullptr; }

  /// Adds the board's own results. Called at the end of the run.
  virtual void report(BoardValues& /*values*/) const {}
  /// Names the board's signals. Called before the simulation starts, and only if waves are written.
  virtual void trace(TracedSignals& /*signals*/) {}
};

/// Symbols of a shared object, which is loaded only if it was built with the headers and the SystemC of hypermon-sim.
inline constexpr const char* own_board_function = "hypermon_own_board";
inline constexpr const char* own_board_build_name = "hypermon_own_board_build";
inline constexpr const char* own_board_systemc_name = "hypermon_own_board_systemc";
/// Called once for each board, before the simulation starts. The returned board is deleted at the end of the run.
using MakeBoard = OwnBoard*(const BoardPlace& place);

} // namespace hypermon

#define HYPERMON_OWN_BOARD(function)                                                                                   \
  extern "C" {                                                                                                         \
  [[gnu::visibility("default")]] extern const char* const hypermon_own_board_build;                                    \
  const char* const hypermon_own_board_build = HYPERMON_MODULES_BUILD;                                                 \
  [[gnu::visibility("default")]] extern const char* const hypermon_own_board_systemc;                                  \
  const char* const hypermon_own_board_systemc = SC_VERSION;                                                           \
  [[gnu::visibility("default")]] hypermon::OwnBoard* hypermon_own_board(const hypermon::BoardPlace& place) {           \
    return function(place);                                                                                            \
  }                                                                                                                    \
  }
