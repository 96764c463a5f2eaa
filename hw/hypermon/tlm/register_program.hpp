// SPDX-License-Identifier: BSD-3-Clause
// The drain program of an I/O node for any capture board. It knows the board only by its registers.
#pragma once
#include "hw/hypermon/core/drain.hpp"
#include "hw/hypermon/core/reader.hpp"
#include "hw/hypermon/tlm/register_access.hpp"
#include <functional>
#include <optional>
#include <string>
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

/// Polls status and frame count, and reads the frames word by word, by the schedule of Reader. An access takes the time
/// for which bus and board delay it, and at least that of PbxParams.
class RegisterProgram : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<RegisterProgram> pbx_initiator;

  struct FrameRead {
    EventFrame frame;
    std::size_t words;
    Time end;
    bool failed; ///< a word ended in a bus error
  };
  /// `sink` receives each frame and returns the time for which the frame occupies the program. `bus`: the board's bus.
  RegisterProgram(const sc_core::sc_module_name& name, const FrameFormat& format, const PbxParams& pbx,
                  const ReaderParams& reader, const PbxBus& bus, std::function<Drain::Outcome(const FrameRead&)> sink);

  // To be called before the simulation starts.
  Reader& reader() { return reader_; }
  const Reader& reader() const { return reader_; }
  /// `drain` may occupy the I/O node's CPU between frames; null: nothing does.
  void interrupted_by(Drain* drain) { drain_ = drain; }
  /// `waits`: event that is notified when the first frame waits. null: the program polls at each edge at which its
  /// schedule allows that.
  void polls_when(const sc_core::sc_event* waits);

  /// Ends what Drain::Outcome::hold began.
  void resume();
  /// Polls once more, though the board has not notified its event. The poll is over `poll_time()` later.
  void poll_again() { wake_.notify(sc_core::SC_ZERO_TIME); }
  Time poll_time() const { return 1_us + register_read_ * 3; }
  /// True if the program reads a frame, or still has frames of its group to read.
  bool busy() const { return reader_.reading() || reader_.left() > 0; }
  /// Largest number of waiting frames that a poll found.
  std::uint64_t most_waiting() const { return most_waiting_; }
  /// Description of the register access that the board refused, which ended the program; empty: none.
  const std::string& failure() const { return failure_; }
  const RegisterAccess& accesses() const { return accesses_; }

private:
  void run(); // SystemC processes
  void wake_up() { woken_at_ = to_time(sc_core::sc_time_stamp()), wake_.notify(); }

  void act();
  std::size_t poll();
  void count_frames();
  void read_frame();
  /// `first`: the access begins a burst of words.
  std::uint32_t read(PbxRegister which, bool first = false, bool* failed = nullptr);
  void wait_until(Time at);
  void wait_for_frames(Time poll);

  FrameFormat format_;
  Time word_;
  Time burst_start_;
  Time register_read_;
  Reader reader_;
  Drain* drain_ = nullptr;
  std::function<Drain::Outcome(const FrameRead&)> sink_;
  const sc_core::sc_event* waits_ = nullptr;
  sc_core::sc_event wake_;
  sc_core::sc_event resumed_;
  Time woken_at_ = Time::from_ps(-1);
  Time ended_at_ = Time::from_ps(-1); // end of the last frame
  std::uint64_t most_waiting_ = 0;
  std::string failure_;
  RegisterAccess accesses_;
};

} // namespace hypermon
