// SPDX-License-Identifier: BSD-3-Clause
// The chain with the user's boards (ecb.module, ecb.rtl) as SystemC modules: the nodes' ports, and for every board's
// inputs a backplane, an ERB, the delivery of single strobes, the user's board, a PBX bus and an I/O node. The I/O
// node's program knows the board only by its registers. All of these modules follow SystemC's time.
#pragma once
#include "hw/cosim/standstill.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "hw/hypermon/wiring/closed_loop.hpp"
#include "hw/hypermon/wiring/user_object.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hypermon {

class ChainWatch;
class PerformancePort;

class OwnBoardChain : public CaptureChain {
public:
  /// of_machine: SystemC's time follows that of the machine (Bridge). own: the chain advances it in drain_to().
  enum class Clock : std::uint8_t { of_machine, own };
  /// Elaborates the SystemC modules. `directory` is for files that boards and pbx.module write. Throws UserError if a
  /// shared object cannot be used. `watch` observes the modules; null: nothing does.
  OwnBoardChain(const Spec& spec, std::size_t event_types, const std::string& directory,
                Clock clock = Clock::of_machine, ChainWatch* watch = nullptr);
  ~OwnBoardChain() override;
  /// Needed if applies_back_pressure(spec), before the first write. SimGrid waits for SystemC while a write is not
  /// done; with messages to the host, until the program has ended and all boards are empty.
  void close_loop(ClosedLoop loop);

  const DrainProgram* drain_program(std::size_t board) const override;
  void deliver_to(std::size_t board, FrameSink* sink) override;
  void write(const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first) override;
  void keep_in_memory(std::size_t items) override;
  /// With Clock::of_machine this only throws an error for a board that refused an access.
  void drain_to(Time horizon) override;
  /// Simulates until every board is empty. Throws std::runtime_error if a board that is not empty delivers no data
  /// of a node for `longest_wait`.
  void finish() override;
  static constexpr Time longest_wait = 1000_ms; // (chosen)

  std::uint64_t bytes_read() const override;
  std::uint64_t garbage_nibbles() const override;
  void for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const override;
  Counts counts() const override;
  std::optional<Contention> contention() const override;
  std::optional<OwnBoardReport> own_boards() const override;

  /// ecb.lockstep: windows that are simulated after the first difference before the run stops.
  static constexpr std::int64_t windows_after_difference = 40; // (chosen)

private:
  struct Modules; // SystemC
  void require_all_well() const;
  void differs(std::size_t board, const BoardDifference& difference);
  std::string difference() const;
  void stop_at_difference() const;
  void follow(const Line& line, Time first);
  void written(NodeId node);
  void send_message(std::size_t board);
  void message_sent(std::size_t board);
  void watch();
  void watch_later();
  void require_progress(Modules& m, const std::string& state) const;
  bool is_silent(const Modules& m) const;
  std::string waiting_signal() const;
  void require_no_frames_of_silent_boards() const;
  [[noreturn]] void fail(const Modules& m, const std::string& state, const std::string& why) const;
  void end_instant(const std::string& doing);

  ChainWatch* watch_;
  UserObject object_;
  UserObject pbx_modules_;
  Clock clock_;
  bool is_rtl_;
  bool stalls_;
  bool to_host_;
  std::unique_ptr<ClosedLoop> loop_;
  std::optional<Bridge::Feedback> sends_;  // exists until the last message has been sent
  std::optional<Bridge::Feedback> writes_; // exists while a node is writing an event
  std::vector<bool> writing_;              // true for each node that is writing an event
  std::size_t outstanding_ = 0;            // number of these nodes
  Standstill standstill_;
  Lockstep lockstep_mode_;
  std::optional<std::pair<std::size_t, BoardDifference>> first_difference_;
  Time stops_at_ = Time::never();
  std::vector<std::unique_ptr<Modules>> boards_;
  std::vector<PerformancePort*> ports_; // by node
};

} // namespace hypermon
