// SPDX-License-Identifier: BSD-3-Clause
// A monitor that never knows an emission's cost at once: SystemC servers, one a node or one for all of them, take one
// emission at a time, first come first served, and hold the node's CPU until they have served it.
#pragma once
#include "hw/cosim/bridge.hpp"
#include "tests/machine/program.hpp"

#include <deque>
#include <memory>
#include <optional>

namespace hypermon::test {

class DeferringMonitor : public Monitor {
public:
  /// Service time of an emission.
  using Service = std::function<Time(const Emission&)>;

  DeferringMonitor(Bridge& bridge, std::size_t servers, Service service)
      : bridge_(bridge), service_(std::move(service)) {
    for (std::size_t i = 0; i < servers; ++i)
      servers_.push_back(std::make_unique<Server>(("server" + std::to_string(i)).c_str(), *this));
  }

  std::optional<Time> emit(const Emission& e) override {
    events.push_back(e);
    if (outstanding_++ == 0) feedback_.emplace(bridge_);
    bridge_.post(e.start, [this, e] { servers_[index(e.node) % servers_.size()]->take(e); });
    return std::nullopt;
  }
  void advance(Time) override {}
  void finish(Time) override {}
  void report(Results&, Time, Time) const override {}

  int outstanding() const { return outstanding_; }
  std::vector<Emission> events;

private:
  struct Server : sc_core::sc_module {
    SC_HAS_PROCESS(Server);
    Server(const sc_core::sc_module_name& name, DeferringMonitor& m) : sc_module(name), monitor(m) { SC_THREAD(serve); }
    void take(const Emission& e) {
      waiting.push_back(e);
      arrived.notify();
    }
    void serve() {
      for (;;) {
        while (waiting.empty()) wait(arrived);
        const Emission e = waiting.front();
        waiting.pop_front();
        wait(sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(monitor.service_(e).ps())));
        monitor.done(e.node);
      }
    }
    DeferringMonitor& monitor;
    std::deque<Emission> waiting;
    sc_core::sc_event arrived;
  };

  void done(NodeId node) {
    emission_done(node, Bridge::systemc_now());
    if (--outstanding_ == 0) feedback_.reset();
  }

  Bridge& bridge_;
  Service service_;
  std::vector<std::unique_ptr<Server>> servers_;
  int outstanding_ = 0;
  std::optional<Bridge::Feedback> feedback_;
};

/// run_program with SystemC behind the bridge that the monitor uses.
inline std::vector<RankResult> run_program_with(Bridge& bridge, const Spec& spec, Monitor& monitor,
                                                const std::function<void(int rank)>& program) {
  return run_program(spec, monitor, program, [&](Machine&) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bridge.attach();
  });
}

} // namespace hypermon::test
