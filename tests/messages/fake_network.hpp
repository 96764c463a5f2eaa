// SPDX-License-Identifier: BSD-3-Clause
// A network without packets, for tests of what stands on it: a sender gives one message after the other away, in
// `ns_per_byte` each byte; it arrives a latency later. Every job has a processor of its own.
#pragma once
#include "sw/messages/core/wire.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace hypermon::messages::test {

struct Costs {
  std::int64_t step_ns = 1001;
  std::int64_t ns_per_cycle = 1000;
  std::int64_t ns_per_byte = 15;
  std::int64_t latency_ns = 575000;
  bool overtake = false; // messages of a sender share nothing: a short one passes a long one
};

class FakeNetwork : public PacketNetwork {
public:
  explicit FakeNetwork(const Costs& costs) : costs_(costs) {}

  void send(Endpoint from, Endpoint to, std::int64_t bytes, OperationId, Done left, Done arrived) override {
    sent.push_back({from, to, bytes});
    std::int64_t nobodys = 0;
    std::int64_t& free = costs_.overtake ? nobodys : free_[from.station];
    free = std::max(free, now_) + bytes * costs_.ns_per_byte;
    at(free, std::move(left));
    at(free + costs_.latency_ns, std::move(arrived));
  }
  void work(Station, std::int64_t cycles, Done done) override {
    at(now_ + cycles * costs_.ns_per_cycle, std::move(done));
  }
  void step(Station, Done done) override { at(now_ + costs_.step_ns, std::move(done)); }
  InterfaceTraffic traffic(Station) const override { return {}; }

  void at(std::int64_t ns, Done action) { queue_.emplace(std::pair(ns, asked_++), std::move(action)); }
  /// Runs until nothing is pending.
  void run() {
    while (!queue_.empty()) {
      now_ = queue_.begin()->first.first;
      const Done action = std::move(queue_.begin()->second);
      queue_.erase(queue_.begin());
      action();
    }
  }
  std::int64_t now() const { return now_; }

  struct Sent {
    Endpoint from;
    Endpoint to;
    std::int64_t bytes;
    bool operator==(const Sent&) const = default;
  };
  std::vector<Sent> sent;

private:
  Costs costs_;
  std::int64_t now_ = 0;
  std::uint64_t asked_ = 0;
  std::map<std::pair<std::int64_t, std::uint64_t>, Done> queue_;
  std::map<Station, std::int64_t> free_;
};

inline std::vector<Endpoint> endpoints(int ranks) {
  std::vector<Endpoint> all;
  for (int r = 0; r < ranks; ++r) all.emplace_back(Station{static_cast<std::uint32_t>(r)});
  return all;
}

} // namespace hypermon::messages::test
