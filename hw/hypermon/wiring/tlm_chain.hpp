// SPDX-License-Identifier: BSD-3-Clause
// The chain as SystemC modules: the nodes' ports, and for every board's inputs a backplane, an ERB, an ECB, a PBX bus
// and an I/O node.
//
// Without back-pressure the boards follow in large steps (drain_to). A node FIFO that stalls its writer and messages to
// the host do affect the machine: then every write is followed in SystemC to the instant at which it is done, and every
// drain program to the instant at which its next message leaves (ClosedLoop). Wake-ups are lower bounds of these
// instants, so that few are needed and none is late.
//
// At ecb.level = transactions the boards follow SystemC's time (Ecb), event by event, and a second master may contend
// for the bus. Effects on the machine are checked after each event. At pbx.level = transactions every access of the
// drain program is a transaction over the PBX at its own time, at backplane.level = transactions every strobe.
#pragma once
#include "hw/hypermon/wiring/board_chain.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/closed_loop.hpp"
#include "hw/hypermon/wiring/user_object.hpp"

namespace hypermon {

class ChainWatch;
class PerformancePort;

class TlmChain : public BoardChain {
public:
  /// Elaborates the SystemC modules. `directory` is for files that pbx.module writes. `watch` observes the bus, and
  /// then the boards follow SystemC's time at any ecb.level; it needs pbx.level = transactions. null: nothing observes
  /// it.
  TlmChain(const Spec& spec, std::size_t event_types, const std::string& directory = {}, ChainWatch* watch = nullptr);
  ~TlmChain() override;
  /// Needed if applies_back_pressure(spec), or if the boards follow SystemC's time, before the first write. SimGrid is
  /// held back while a write is pending that a board may hold; with messages to the host, for as long as the chain
  /// lives.
  void close_loop(ClosedLoop loop);

  void deliver_to(std::size_t board, FrameSink* sink) override;
  void write(const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first) override;
  void finish() override;
  std::optional<Contention> contention() const override;

private:
  struct Modules; // SystemC
  void drain_board(std::size_t board, Time horizon) override;
  void reset_board(std::size_t board, Time at) override;
  bool bus_fails_words() const override { return by_words_; }
  void program_may_have_ended();
  /// Whether the board and its drain program will do nothing more.
  bool is_over(std::size_t board);
  void follow(const Line& line, Time first);
  void follow_to(std::size_t board, Time now);
  Time look_at(std::size_t board, Time bound) const;
  void post_look(const Line& line);
  void follow_write(const Line& line);
  void follow_drain(std::size_t board);
  void send_message(std::size_t board);
  void message_sent_to_host(std::size_t board);
  // ecb.level = transactions:
  void followed(std::size_t board);
  void tell_of_writes(std::size_t board);
  void send_unhindered(std::size_t board);

  UserObject modules_; // of pbx.module
  bool by_words_;
  bool follows_;           // true if the boards follow SystemC's time
  bool finishing_ = false; // the machine's run has ended
  bool stalls_;
  bool to_host_;
  std::int64_t frame_bytes_most_ = 0; // most bytes that a frame adds to a message; 0 if unknown
  std::unique_ptr<ClosedLoop> loop_;
  std::optional<Bridge::Feedback> always_held_back_; // used with messages to the host
  std::optional<Bridge::Feedback> held_back_;        // used while writes are pending
  std::size_t outstanding_ = 0;                      // writes whose end is not known yet
  std::vector<std::unique_ptr<Modules>> boards_;
  std::vector<PerformancePort*> ports_; // by node
};

} // namespace hypermon
