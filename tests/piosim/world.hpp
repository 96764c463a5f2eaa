// SPDX-License-Identifier: BSD-3-Clause
// A platform of packets with a clock of its own: programs are chains of calls.
#pragma once
#include "hw/packets/core/piosim.hpp"
#include "hw/packets/core/topologies.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hypermon::piosim {

/// As in the paper's run: one client, and one server on its own node.
PiosimParams paper();
/// Clients node0, node1, ... and servers on computers of their own, around a switch.
NetworkGraph star_of(const PiosimParams& params, std::size_t clients);

class World {
public:
  explicit World(const PiosimParams& params, std::size_t clients = 1);
  World(const PiosimParams& params, NetworkGraph graph, std::size_t clients);

  Piosim& operator*() { return piosim_; }
  Piosim* operator->() { return &piosim_; }
  IoObservers& observers() { return observers_; }
  Time now() const { return now_; }
  /// Runs `action` at that date.
  void at(Time date, std::function<void()> action);
  /// Runs until nothing is pending.
  void run();
  /// Runs a single call and returns its duration. `answer`: its result.
  Time call(FileRequest::Kind kind, const std::string& file, const std::vector<FileRegion>& regions,
            FileAnswer* answer = nullptr, std::uint32_t client = 0);
  Time write(const std::string& file, std::int64_t offset, std::int64_t bytes) {
    return call(FileRequest::Kind::write, file, {{offset, bytes}});
  }
  Time read(const std::string& file, std::int64_t offset, std::int64_t bytes) {
    return call(FileRequest::Kind::read, file, {{offset, bytes}});
  }
  void rest(Time duration);

private:
  struct Planned {
    Time date;
    std::function<void()> action;
  };
  Time now_;
  IoObservers observers_;
  Piosim piosim_;
  std::vector<Planned> planned_;
};

} // namespace hypermon::piosim
