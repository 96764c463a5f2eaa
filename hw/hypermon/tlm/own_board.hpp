// SPDX-License-Identifier: BSD-3-Clause
// A capture board of the user's in place of hypermon's: in a complete run, in lockstep, or on a recording. hypermon-sim
// loads a shared object (ecb.module, or built from ecb.rtl) with one function that makes the board and binds it.
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
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/sockets.hpp"
#include <optional>
#include <string>
#include <systemc>

namespace hypermon {

/// Words of one input that the board loses. Causes aliasing and node_overrun: the input's last strobe at or before the
/// time of the loss. Other causes: the input's oldest word of `window` that is neither read nor lost, or its oldest
/// word if there is no `window`.
struct BoardLoss {
  std::uint32_t input;
  LossCause cause;
  std::optional<std::uint64_t> window{}; ///< number of the word's window, of which the timestamp's bits count
  /// Time of the strobe (aliasing, node_overrun) or of the edge at which the word is lost. Without it: now.
  std::optional<Time> time{};
};

/// Receives what a board says about itself. Without reports the run counts each word that is in no frame as lost in the
/// board.
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

/// Place of a board. References are valid until the board is deleted.
struct BoardPlace {
  std::size_t board;            ///< its number in the run
  std::uint32_t inputs;         ///< nodes that are connected, to lines 0 to inputs - 1
  const PortParams& port;       ///< of this run, as all parameters here. A board may ignore what it does not have
  const EcbParams& ecb;         ///< with frames in the layout of FrameFormat(port, ecb)
  const PbxParams& pbx;         ///< time of a word on the bus
  const std::string& options;   ///< ecb.module_options
  const std::string& directory; ///< the run directory, for files that the board writes
  /// Must be bound, once. Each strobe is a WRITE of one datum at SystemC's time, without annotation; the address is the
  /// input, and BurstExtension says whether the datum is flagged. Strobes of an input have different times.
  tlm::tlm_initiator_socket<>& strobes;
  /// The bus of the I/O node. A program that reads the board's registers expects them at PbxBus::ecb_registers.
  PbxBus& bus;
  BoardReports& reports;
};

/// A board is a SystemC module with any processes. SystemC's time is that of the run.
class OwnBoard : public sc_core::sc_module {
public:
  using sc_module::sc_module;

  /// Back-pressure: a strobe on this input would not be taken now. It comes when `room()` has been notified and holds()
  /// is false; the node's program waits until then. Asked at the time of the strobe, before it.
  virtual bool holds(std::uint32_t /*input*/) const { return false; }
  virtual const sc_core::sc_event* room() const { return nullptr; }

  /// Nothing inside will become a frame or is waiting to be read, unless a strobe comes. The run ends when all boards
  /// are empty after the last strobe.
  virtual bool empty() const = 0;
  /// Notified when the first frame waits. Without it the I/O node's program polls the status register as often as its
  /// parameters say, which for an ideal reader is at each clock edge.
  virtual const sc_core::sc_event* frame_waits() const { return nullptr; }

  virtual void report(BoardValues& /*values*/) const {}
  /// Adds signals to the waves of a run.
  virtual void trace(sc_core::sc_trace_file* /*file*/) const {}
};

/// Changes with everything in this header. A shared object built with another version is not loaded.
inline constexpr int own_board_version = 1;
inline constexpr const char* own_board_function = "hypermon_own_board";
inline constexpr const char* own_board_version_name = "hypermon_own_board_version";
inline constexpr const char* own_board_systemc_name = "hypermon_own_board_systemc";
/// Called once for each board, before the simulation starts. The returned board is deleted at the end of the run.
using MakeBoard = OwnBoard*(const BoardPlace& place);

} // namespace hypermon

#define HYPERMON_OWN_BOARD(function)                                                                                   \
  extern "C" {                                                                                                         \
  [[gnu::visibility("default")]] extern const int hypermon_own_board_version;                                          \
  const int hypermon_own_board_version = hypermon::own_board_version;                                                  \
  [[gnu::visibility("default")]] extern const char* const hypermon_own_board_systemc;                                  \
  const char* const hypermon_own_board_systemc = SC_VERSION;                                                           \
  [[gnu::visibility("default")]] hypermon::OwnBoard* hypermon_own_board(const hypermon::BoardPlace& place) {           \
    return function(place);                                                                                            \
  }                                                                                                                    \
  }
