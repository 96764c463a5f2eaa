// SPDX-License-Identifier: BSD-3-Clause
// Passes the MPI library's messages to a packet network, and reports each message to observers.
#pragma once
#include "base/time.hpp"
#include "hw/packets/core/io_observers.hpp"
#include "hw/packets/core/packet_network.hpp"
#include "sw/messages/core/task.hpp"

#include <coroutine>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace hypermon::messages {

class Wire {
public:
  using Done = PacketNetwork::Done;

  /// `endpoints`: of each rank among the processes of all programs. All arguments must outlive this object.
  Wire(PacketNetwork& network, const IoObservers& observers, std::vector<Endpoint> endpoints, std::function<Time()> now)
      : network_(network), observers_(observers), endpoints_(std::move(endpoints)), now_(std::move(now)) {}

  /// `step` describes the message for observers; its `id` is set here.
  void send(MessageStep step, Done left, Done arrived) {
    step.id = observers_.number();
    if (!observers_.empty()) [[unlikely]] {
      observers_.notify([&](IoObserver& o) { o.begins(now_(), step); });
      arrived = [this, id = step.id, arrived = std::move(arrived)] {
        observers_.notify([&](IoObserver& o) { o.ends(now_(), id); });
        arrived();
      };
    }
    network_.send(endpoint(step.from), endpoint(step.to), step.bytes, step.id, std::move(left), std::move(arrived));
  }
  void step(int rank, Done done) { network_.step(endpoint(rank).station, std::move(done)); }
  void work(int rank, std::int64_t cycles, Done done) {
    network_.work(endpoint(rank).station, cycles, std::move(done));
  }

private:
  Endpoint endpoint(int rank) const { return endpoints_[static_cast<std::size_t>(rank)]; }

  PacketNetwork& network_;
  const IoObservers& observers_;
  std::vector<Endpoint> endpoints_;
  std::function<Time()> now_;
};

/// Awaits a callback: `begin(done)` is called at once.
template <class Begin> class Callback {
public:
  explicit Callback(Begin begin) : begin_(std::move(begin)) {}
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> caller) {
    begin_([caller] { caller.resume(); });
  }
  void await_resume() const {}

private:
  Begin begin_;
};

/// A step of one of the rank's commands.
inline auto step(Wire& wire, int rank) {
  return Callback([&wire, rank](Wire::Done done) { wire.step(rank, std::move(done)); });
}

} // namespace hypermon::messages
