// SPDX-License-Identifier: BSD-3-Clause
// Event capture board: connects a CaptureBoard to the strobe lines and the PBX.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include "hw/hypermon/tlm/sockets.hpp"
#include <functional>
#include <tlm_utils/simple_target_socket.h>

namespace hypermon {

/// With DrainedBy::words the board tells the instants at which the drain program polls it or begins a frame; the I/O
/// node (IoNode::run_program_of()) makes the accesses.
class Ecb : public sc_core::sc_module, private StrobeTarget {
public:
  tlm::tlm_target_socket<> strobe_target; ///< WRITE of bursts; the address is the input
  /// Registers (hw/hypermon/core/registers.hpp) and blocks of frames. Non-blocking requests are served one at a time,
  /// at their time, and answered by BEGIN_RESP when the bus has finished the word.
  tlm_utils::simple_target_socket<Ecb> pbx_target;

  /// Use with DrainedBy::words. systemc: the board follows SystemC's time from one of its events to the next, or runs
  /// ahead as far as nothing else can happen. caller: each run_to() advances it, and there is no SystemC process.
  enum class Pace : std::uint8_t { systemc, caller };
  Ecb(const sc_core::sc_module_name& name, const PortParams& port, const EcbParams& ecb, const PbxParams& pbx,
      const ReaderParams& reader, DrainedBy drained_by = DrainedBy::reader, Pace pace = Pace::systemc);

  CaptureBoard& board() { return board_; }
  const CaptureBoard& board() const { return board_; }

  // For DrainedBy::words only. The first three need Pace::systemc.
  /// To be called after a change to the board from outside, so that its next event is scheduled again.
  void changed() { arm(); }
  /// Callbacks before and after the board is simulated up to an instant.
  struct Follower {
    std::function<void(Time now)> before;
    std::function<void(Time now)> after;
  };
  void on_follow(Follower follower) { follower_ = std::move(follower); }
  /// True if nothing more happens on the board until the next access or write.
  bool at_rest() const { return board_.next_event() == Time::never() && !board_.reads_words(); }
  /// The board will be reset at `at`, before anything else at that instant; never() if no reset follows.
  void reset_comes_at(Time at) { reset_at_ = at; }
  Time next_reset() const { return reset_at_; }
  bool reset_is_due() const { return reset_at_ == to_time(sc_core::sc_time_stamp()); }
  /// Notified when the program acts, unless the program runs ahead.
  const sc_core::sc_event& program_acts() const { return program_acts_; }
  /// `acts` is called for each edge at which the program acts, which may be ahead of SystemC's time. It makes all
  /// accesses that begin before the program's next action, with their times annotated. Nothing may make them wait.
  void program_runs_ahead(std::function<void(Time edge)> acts) { acts_ = std::move(acts); }
  /// Simulates board and program before `end`, which must not be before the board's horizon. It needs
  /// program_runs_ahead(). May be called outside any SystemC process, and when SystemC's time is later: an access
  /// before SystemC's time has a negative annotation (sc_times.hpp).
  void run_to(Time end);
  /// Lets board and program run ahead of SystemC's time up to `final()`, before which no strobe is written any more. It
  /// needs program_runs_ahead(). Without it they do not pass SystemC's time, apart from the words of a frame.
  void runs_ahead_to(std::function<Time()> final) { final_ = std::move(final); }
  const sc_core::sc_event& was_reset() const { return was_reset_; }

private:
  using Payload = tlm::tlm_generic_payload;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override; // transport of strobes
  void access(Payload& payload, sc_core::sc_time& delay);
  unsigned debug(Payload& payload);
  bool no_dmi(Payload& payload, tlm::tlm_dmi& dmi);
  tlm::tlm_response_status hand_over(const FramesExtension& block, Time at);
  std::uint32_t read_register(PbxRegister which, sc_core::sc_time& delay);
  void write_control(std::uint32_t value, Time at);
  void start_of_simulation() override { arm(); }
  void follow();
  void run_ahead(Time now);
  void arm();

  CaptureBoard board_;
  bool follows_; // true if follow() is a process
  Time reset_at_ = Time::never();
  Follower follower_;
  std::function<void(Time)> acts_;
  std::function<Time()> final_;
  bool running_ahead_ = false;
  sc_core::sc_time register_read_;
  sc_core::sc_time register_write_;
  std::uint64_t polls_ = 0; // polls with frames of which the program was notified
  sc_core::sc_event next_;  // triggers the board's next event
  sc_core::sc_event program_acts_;
  sc_core::sc_event was_reset_;
};

} // namespace hypermon
