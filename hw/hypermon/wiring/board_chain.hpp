// SPDX-License-Identifier: BSD-3-Clause
// The chain with hypermon's own boards (CaptureBoard). The derived class drives them with SystemC modules (TlmChain) or
// directly with the bursts (CoreChain); both give the same frames, losses and times.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"

#include <memory>
#include <vector>

namespace hypermon {

class BoardChain : public CaptureChain {
public:
  const CaptureBoard& board(std::size_t board) const { return *parts_[board].board; }
  /// `probe` observes a board from its horizon on; null: no probe.
  void attach(std::size_t board, BoardProbe* probe) { parts_[board].board->attach(probe); }
  /// Calls CaptureBoard::keep_groups() for all boards.
  void keep_groups() {
    for (const Parts& parts : parts_) parts.board->keep_groups();
  }
  const DrainProgram* drain_program(std::size_t board) const override { return parts_[board].program.get(); }
  /// See CaptureBoard::may_lag(). The chain reduces `most` to what it can tolerate: nothing if it observes the boards
  /// (keep_up()).
  void may_lag(Time most) override;
  /// Calls CaptureBoard::keep_in_memory() for all boards.
  void keep_in_memory(std::size_t items) override {
    for (const Parts& parts : parts_) parts.board->keep_in_memory(items);
  }
  /// Calls CaptureBoard::deliver_ahead() for all boards, unless they are reset later.
  void deliver_ahead();
  void program_ends(Time at) override;
  void drain_to(Time horizon) override;
  /// The caller, which sends the messages with drain.destination = host, has sent the due message at `at`.
  void message_sent(std::size_t board, Time at);
  /// A later reset has no effect on an empty board, and discards what is still inside otherwise.
  void finish() override;

  std::uint64_t bytes_read() const override;
  std::uint64_t garbage_nibbles() const override;
  void for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const override;
  Counts counts() const override;

protected:
  /// `event_types`: number of a node's event types, for the statistics of drain.reduction.
  BoardChain(const Spec& spec, std::size_t event_types);

  /// Adds a board with its drain program, its faults and its observers, all of which must outlive the chain. `faults`
  /// may be null. To be called once for each board, in order.
  void equip(const Spec& spec, CaptureBoard& board, StrobeFaults* faults);
  /// Whether a bus makes words fail. Otherwise the board must (CaptureBoard::fail_reads()).
  virtual bool bus_fails_words() const { return false; }
  /// Captures and drains everything before `horizon` on one board.
  virtual void drain_board(std::size_t board, Time horizon) = 0;
  /// The I/O node's program resets the board, at the time to which it was drained.
  virtual void reset_board(std::size_t board, Time at) { parts_[board].board->write_control(control_bits::reset, at); }
  /// Resets the board if that is due before `horizon`. The board must not have been drained to `horizon` yet.
  void reset_due(std::size_t board, Time horizon);
  /// The time of the next reset; never() if none follows.
  Time next_reset(std::size_t board) const { return parts_[board].reset_done ? Time::never() : reset_at(); }
  /// Makes the boards simulate without a lag, whatever may_lag() allows, because the derived class observes their
  /// strobes and reads.
  void keep_up();

  CaptureBoard& board_of(const Line& line) { return *parts_[line.board].board; }
  /// Time of a message to the host without contention, from when it is due until the program continues.
  Time unhindered_message(std::size_t board) const { return parts_[board].program->send_time() + unloaded_message_; }
  DrainProgram* program(std::size_t board) { return parts_[board].program.get(); }

private:
  struct Parts {
    CaptureBoard* board;
    std::unique_ptr<DrainProgram> program; // null if no action of the program takes time or can fail
    bool reset_done = false;
    Counts before_reset{}; // counts before the reset, which the board itself clears
  };
  std::size_t event_types_;
  Time unloaded_message_;
  bool keeps_up_ = false;
  std::vector<Parts> parts_;
};

} // namespace hypermon
