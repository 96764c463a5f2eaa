// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/board_chain.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/machine/params.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hypermon {

namespace {

std::vector<EventFrame> garbage(const FaultParams& faults, const FrameFormat& format, std::int64_t depth) {
  std::vector<EventFrame> frames;
  for (std::int64_t n = 0; n < std::min(faults.garbage_frames, depth); ++n) {
    std::array<std::uint32_t, FrameFormat::max_words> words{};
    garbage_frame(faults, static_cast<std::uint64_t>(n), std::span(words).first(format.words()));
    frames.push_back(format.unpack(std::span(words).first(format.words())));
  }
  return frames;
}

/// Time of a message to the host without contention.
Time unloaded_message(const Spec& spec) {
  const double bytes_per_us =
      std::min(spec.get<NetworkParams>().bandwidth_mb_per_s, spec.get<HostParams>().bandwidth_kb_per_s * 1e-3);
  return Time::from_ns_rounded(static_cast<double>(spec.get<DrainParams>().host_message_bytes.number) / bytes_per_us *
                               1e3);
}

} // namespace

BoardChain::BoardChain(const Spec& spec, std::size_t event_types)
    : CaptureChain(spec), event_types_(event_types), unloaded_message_(unloaded_message(spec)) {}

void BoardChain::equip(const Spec& spec, CaptureBoard& board, StrobeFaults* faults) {
  const std::size_t b = parts_.size();
  const EcbParams params = ecb_of(spec, b);
  Parts& parts = parts_.emplace_back(Parts{&board, drain_program_of(spec, board.format(), nodes_of(b), event_types_)});
  board.drain_through(parts.program.get());
  if (PbxFaults::any(spec.get<FaultParams>()) && !bus_fails_words())
    board.fail_reads(PbxFaults(spec.get<FaultParams>()));
  board.reader().stop(spec.get<FaultParams>().reader_stops_at_ms, spec.get<FaultParams>().reader_stops_for_ms);
  board.power_on_with(garbage(spec.get<FaultParams>(), board.format(), params.frame_fifo_frames));
  board.reset_earlier_by(skew(b));
  const std::uint32_t first = index(first_node(b));
  board.on_loss([this, faults, first](Loss loss) {
    if (faults != nullptr) loss.sequence = faults->written(loss.input, loss.sequence);
    observers_.loss(NodeId{first + loss.input}, loss);
  });
  if (faults != nullptr)
    faults->on_fault([this, first](const Fault& fault) { observers_.fault(NodeId{first + fault.input}, fault); });
}

// The program of each I/O node resets its board at the given time. It does not if the program has ended by then and
// nothing is left to reset.
void BoardChain::reset_due(std::size_t b, Time horizon) {
  if (horizon <= next_reset(b) || next_reset(b) == Time::never()) return;
  Parts& parts = parts_[b];
  parts.reset_done = true;
  drain_board(b, reset_at());
  parts.board->read_status(reset_at()); // makes a board that lags catch up
  if (reset_at() > program_end() && parts.board->empty()) return;
  parts.before_reset = parts.board->counts();
  reset_board(b, reset_at());
  observers_.reset(b, reset_at());
}

void BoardChain::program_ends(Time at) {
  CaptureChain::program_ends(at);
  for (const Parts& parts : parts_) parts.board->program_ends(at);
}

void BoardChain::drain_to(Time horizon) {
  horizon = std::min(horizon, program_end());
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    reset_due(b, horizon);
    drain_board(b, std::max(horizon, board(b).horizon()));
  }
}

void BoardChain::may_lag(Time most) {
  for (const Parts& parts : parts_) parts.board->may_lag(keeps_up_ ? 0_ps : most);
}

void BoardChain::deliver_ahead() {
  if (reset_at() < Time::never()) return;
  for (const Parts& parts : parts_) parts.board->deliver_ahead();
}

void BoardChain::keep_up() {
  keeps_up_ = true;
  may_lag(0_ps);
}

void BoardChain::message_sent(std::size_t b, Time at) {
  reset_due(b, at);
  drain_board(b, std::max(at, board(b).horizon()));
  parts_[b].program->message_sent();
  parts_[b].board->resume_reader(at);
}

// The program has ended, so messages to the host no longer meet other messages.
void BoardChain::finish() {
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    reset_due(b, Time::never());
    drain_board(b, Time::never());
    DrainProgram* const program = parts_[b].program.get();
    while (program != nullptr && program->message_due() > 0) {
      const Time sent = unhindered_message(b);
      program->message_sent();
      parts_[b].board->resume_reader_after(sent);
      drain_board(b, Time::never());
    }
  }
}

std::uint64_t BoardChain::bytes_read() const {
  std::uint64_t words = 0;
  for (const Parts& parts : parts_) words += parts.board->words_drained();
  return 4 * words;
}

std::uint64_t BoardChain::garbage_nibbles() const {
  std::uint64_t nibbles = 0;
  for (const Parts& parts : parts_) nibbles += parts.board->garbage_drained() * parts.board->format().data_bits() / 4;
  return nibbles;
}

void BoardChain::for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const {
  for (std::uint32_t n = 0; n < nodes(); ++n) {
    const Line to = line(NodeId{n});
    if (const std::uint64_t data = board(to.board).accumulating(to.input); data > 0) f(to.node, data);
  }
}

Counts BoardChain::counts() const {
  Counts sum;
  for (const Parts& parts : parts_) {
    const Counts c = parts.board->counts();
    add_counts(sum, parts.before_reset);
    add_counts(sum, c);
    sum.accumulating += c.accumulating; // data in incomplete words at the reset are lost
    sum.frames_in_fifo += c.frames_in_fifo;
  }
  return sum;
}

} // namespace hypermon
