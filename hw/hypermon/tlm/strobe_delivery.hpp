// SPDX-License-Identifier: BSD-3-Clause
// Takes bursts that nodes have written ahead and delivers each datum to a board at SystemC's time. A board may hold a
// strobe: it and the later ones of its input then wait for room.
#pragma once
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/own_board.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include "hw/hypermon/tlm/sockets.hpp"
#include <deque>
#include <functional>
#include <queue>
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

/// Each datum is a WRITE without annotation. Data at one instant are delivered in the order of their inputs.
class StrobeDelivery : public sc_core::sc_module, private StrobeTarget {
public:
  tlm::tlm_target_socket<> strobe_target; ///< WRITE of bursts; the address is the input
  tlm_utils::simple_initiator_socket<StrobeDelivery> strobe_initiator;

  StrobeDelivery(const sc_core::sc_module_name& name, std::size_t inputs, std::size_t datum_bytes);

  /// `f` is called for each datum before it is delivered to the board.
  void on_strobe(std::function<void(std::uint32_t input, Time at, std::uint32_t datum, bool flagged)> f) {
    on_strobe_ = std::move(f);
  }
  /// `f` is called when the last datum of all bursts of an input has been delivered, at its time. `board` may hold
  /// strobes; null: nothing holds them. Call this before the simulation starts.
  void follow(const OwnBoard* board, std::function<void(std::uint32_t input)> f);
  /// True if no datum remains to be delivered.
  bool empty() const { return next_.empty() && held_ == 0; }
  bool empty(std::uint32_t input) const { return inputs_[input].pieces.empty(); }
  /// Time of the last delivered datum of an input.
  Time last(std::uint32_t input) const { return inputs_[input].last; }
  /// The inputs whose strobes wait for room, as bits, and the time since when the first of them waits.
  std::uint32_t held() const { return held_; }
  Time held_since() const { return held_since_; }
  /// Time of the last delivered datum.
  Time last() const { return last_; }

private:
  struct Piece { // a burst; its data before `datum` are delivered
    Time first;
    Time spacing;
    std::vector<std::uint8_t> data;
    std::size_t datum;
    bool flag_first;
  };
  struct Input {
    std::deque<Piece> pieces;
    Time last; // time of the last delivered datum
  };
  struct Next { // next datum of an input
    Time at;
    std::uint32_t input;
    bool operator<(const Next& other) const { return at != other.at ? at > other.at : input > other.input; }
  };
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void deliver(); // SystemC processes
  void try_held();
  void deliver_next(std::uint32_t input, Time at);
  Time due(const Input& input) const; // time of its next datum

  std::size_t datum_bytes_;
  std::vector<Input> inputs_;
  std::priority_queue<Next> next_;
  sc_core::sc_event due_;
  Time last_;
  ReusedPayload<BurstExtension> datum_;
  std::function<void(std::uint32_t, Time, std::uint32_t, bool)> on_strobe_ = [](std::uint32_t, Time, std::uint32_t,
                                                                                bool) {};
  const OwnBoard* board_ = nullptr; // that may hold strobes
  std::function<void(std::uint32_t)> written_;
  std::uint32_t held_ = 0;
  Time held_since_;
};

} // namespace hypermon
