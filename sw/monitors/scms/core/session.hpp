// SPDX-License-Identifier: BSD-3-Clause
// A client's end of RMI: requests to its SMA, and answers by id. It has no clock and no network of its own; rmi.hpp
// runs it.
#pragma once
#include "sw/monitors/scms/core/costs.hpp"
#include "sw/monitors/scms/core/surroundings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hypermon::scms {

/// Answer to one request: each of its nodes once, in their order. For Verb::live only the nodes.
struct Answer {
  std::uint64_t id = 0;
  Time asked;
  Time answered;
  Rows rows;
};

class Session {
public:
  /// `timeout`: time after which a missing answer is given up; 0: never. References must outlive this object.
  Session(Peer sma, const Costs& costs, Surroundings& around, Time timeout)
      : sma_(sma), costs_(costs), around_(around), timeout_(timeout) {}

  Peer sma() const { return sma_; }
  /// Sends the request at `now`. Returns the id of its answer; the request's own `id` is ignored.
  std::uint64_t submit(Request request, Time now, Outbox& out);
  /// CPU time before receive().
  Time work(const Message& message) const { return receiving(message, costs_); }
  /// Returns the answer that this message completes, if any.
  std::optional<Answer> receive(const Message& message, Time now);
  /// The connection to the SMA is broken: answers all open requests; values that have not arrived are missing.
  std::vector<Answer> gone(Time now);
  /// Time at which the oldest request is given up, and the requests that are given up by `now`.
  Time due() const;
  std::vector<Answer> expire(Time now);
  std::size_t outstanding() const { return open_.size(); }

private:
  struct Open {
    Request request;
    Time asked;
    Rows rows; ///< a row for each node; missing until it arrives
    std::vector<bool> has;
  };
  Answer close(std::map<std::uint64_t, Open>::iterator open, Time now);

  Peer sma_;
  const Costs& costs_;
  Surroundings& around_;
  Time timeout_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Open> open_; // by id, so the oldest is first
};

} // namespace hypermon::scms
