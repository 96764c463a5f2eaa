// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/register_program.hpp"

namespace hypermon {

RegisterProgram::RegisterProgram(const sc_core::sc_module_name& name, const FrameFormat& format, const PbxParams& pbx,
                                 const ReaderParams& reader, const PbxBus& bus,
                                 std::function<Drain::Outcome(const FrameRead&)> sink)
    : sc_module(name), pbx_initiator("pbx_initiator"), format_(format), word_(pbx.word_ns),
      burst_start_(pbx.burst_start_ns),
      register_read_(reader.kind == ReaderKind::group ? Time{pbx.register_read_ns} : 0_ps), reader_(pbx, reader),
      sink_(std::move(sink)), accesses_(*this, &bus) {
  require_picoseconds();
  SC_HAS_PROCESS(RegisterProgram);
  SC_THREAD(run);
}

void RegisterProgram::polls_when(const sc_core::sc_event* waits) {
  waits_ = waits;
  if (waits == nullptr) return;
  SC_HAS_PROCESS(RegisterProgram);
  SC_METHOD(wake_up);
  sensitive << *waits;
  dont_initialize();
}

void RegisterProgram::run() {
  while (failure_.empty()) act();
}

// One step of the schedule, at an edge.
void RegisterProgram::act() {
  const Time now = to_time(sc_core::sc_time_stamp());
  if (reader_.next_action() == Time::never()) return wait(resumed_);
  if (now < reader_.next_action()) return wait_until(reader_.next_action());
  if (reader_.counts()) return count_frames();
  const bool idle = reader_.left() == 0;
  if (idle && register_read_ > 0_ps && now < reader_.next_poll(now)) return wait_until(reader_.next_poll(now));
  const bool polls = idle && (register_read_ > 0_ps || !reader_.stopped(now));
  const std::size_t waiting = polls ? poll() : reader_.left();
  if (!failure_.empty()) return;
  if (!reader_.starts_at(now, waiting)) {
    if (polls && waiting == 0) wait_for_frames(register_read_ > 0_ps ? now : to_time(sc_core::sc_time_stamp()));
    return; // the program is busy until its next action
  }
  const Time ready = drain_ != nullptr ? edge_at_or_after(drain_->ready(now)) : now;
  if (ready != now)
    reader_.resume(ready);
  else
    read_frame();
}

// Frames that wait. Where a read takes time, the frame count follows after it.
std::size_t RegisterProgram::poll() {
  if ((read(PbxRegister::status) & status_bits::frame_available) == 0 || !failure_.empty()) return 0;
  if (register_read_ > 0_ps) return 1;
  const std::size_t waiting = read(PbxRegister::frame_count) & mask(info(PbxRegister::frame_count));
  most_waiting_ = std::max<std::uint64_t>(most_waiting_, waiting);
  return waiting;
}

void RegisterProgram::count_frames() {
  const Time now = to_time(sc_core::sc_time_stamp());
  const std::size_t waiting = read(PbxRegister::frame_count) & mask(info(PbxRegister::frame_count));
  most_waiting_ = std::max<std::uint64_t>(most_waiting_, waiting);
  reader_.starts_at(now, waiting);
}

// The program polls next as soon as it can if a frame may have arrived since the last poll, which was at `poll`. A
// program with an event waits for it only after two empty polls: the board need not notify it of a frame that arrives
// while the last one leaves.
void RegisterProgram::wait_for_frames(Time poll) {
  Time earliest = poll + 1_ps;
  if (waits_ != nullptr && woken_at_ < poll && ended_at_ != poll) {
    wait(wake_);
    earliest = to_time(sc_core::sc_time_stamp()) + 1_ps;
  }
  earliest = edge_at_or_after(earliest);
  wait_until(register_read_ > 0_ps ? reader_.next_poll(earliest) : earliest);
}

// The vector word says whether a timestamp follows.
void RegisterProgram::read_frame() {
  std::array<std::uint32_t, FrameFormat::max_words> words{};
  bool failed = false;
  reader_.start_words();
  std::size_t n = 0;
  const auto read_words = [&](std::size_t until) {
    for (; n < until && failure_.empty(); ++n) words.at(n) = read(PbxRegister::frame_fifo, n == 0, &failed);
  };
  read_words(format_.words(false));
  if (failure_.empty() && format_.is_stamped(words.at(n - 1))) read_words(format_.words(true));
  if (!failure_.empty()) return;
  reader_.words_end(to_time(sc_core::sc_time_stamp()));
  wait_until(reader_.read_end());
  ended_at_ = reader_.read_end();
  const Drain::Outcome outcome = sink_({format_.unpack(std::span(words).first(n)), n, ended_at_, failed});
  reader_.end_frame(ended_at_, outcome.busy);
  if (outcome.hold) reader_.hold();
}

void RegisterProgram::resume() {
  reader_.resume(to_time(sc_core::sc_time_stamp()));
  resumed_.notify();
}

std::uint32_t RegisterProgram::read(PbxRegister which, bool first, bool* failed) {
  std::uint32_t value = 0;
  sc_core::sc_time delay;
  const auto status = accesses_.access(*pbx_initiator.operator->(), tlm::TLM_READ_COMMAND, which, value, delay);
  if (status == tlm::TLM_GENERIC_ERROR_RESPONSE && failed != nullptr)
    *failed = true;
  else if (status != tlm::TLM_OK_RESPONSE)
    failure_ = "refuses a read of the register " + std::string(info(which).name);
  const Time least = which != PbxRegister::frame_fifo ? register_read_ : word_ + (first ? burst_start_ : 0_ps);
  delay = std::max(delay, to_sc_time(std::max(least - accesses_.took(), 0_ps))); // boards may wait within an access
  if (delay > sc_core::SC_ZERO_TIME) wait(delay);
  return value;
}

void RegisterProgram::wait_until(Time at) {
  const Time now = to_time(sc_core::sc_time_stamp());
  if (at > now) wait(to_sc_time(at - now));
}

} // namespace hypermon
