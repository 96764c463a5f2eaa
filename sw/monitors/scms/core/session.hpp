// SPDX-License-Identifier: BSD-3-Clause
// A client's end of RMI: requests to the SMA that it is attached to, answers by id. No clock and no network of its own;
// rmi.hpp is its shell.
#pragma once
#include "sw/monitors/scms/core/costs.hpp"
#include "sw/monitors/scms/core/surroundings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hypermon::scms {

/// Of one request: each of its nodes once, in their order; of Verb::live the nodes alone.
struct Answer {
  std::uint64_t id = 0;
  Time asked;
  Time answered;
  Rows rows;
};

class Session {
public:
  /// `timeout`: after so long what has not come is answered missing; 0: never. References must live longer.
  Session(Peer sma, const Costs& costs, Surroundings& around, Time timeout)
      : sma_(sma), costs_(costs), around_(around), timeout_(timeout) {}

  Peer sma() const { return sma_; }
  /// Sends it at `now`; the answer has the id that it returns. Its `id` is not looked at.
  std::uint64_t submit(Request request, Time now, Outbox& out);
  /// CPU time that passes before receive().
  Time work(const Message& message) const { return receiving(message, costs_); }
  /// At most one request is complete with it.
  std::optional<Answer> receive(const Message& message, Time now);
  /// The connection to the SMA is gone: everything outstanding is answered, what has not come is missing.
  std::vector<Answer> gone(Time now);
  /// When the oldest request is given up, and those that are by `now`.
  Time due() const;
  std::vector<Answer> expire(Time now);
  std::size_t outstanding() const { return open_.size(); }

private:
  struct Open {
    Request request;
    Time asked;
    Rows rows; ///< a row for each node; missing until it comes
    std::vector<bool> has;
  };
  Answer close(std::map<std::uint64_t, Open>::iterator open, Time now);

  Peer sma_;
  const Costs& costs_;
  Surroundings& around_;
  Time timeout_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Open> open_; // by id: the oldest first
};

} // namespace hypermon::scms
