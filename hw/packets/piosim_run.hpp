// SPDX-License-Identifier: BSD-3-Clause
// A packet-level platform in a run, advanced with SimGrid's clock.
#pragma once
#include "base/results.hpp"
#include "base/spec.hpp"
#include "hw/packets/core/piosim.hpp"

#include <cstddef>
#include <memory>

namespace simgrid::kernel::timer {
class Timer;
}

namespace hypermon {

class PiosimRun {
public:
  /// `places`: number of computers of programs, which are its first stations.
  PiosimRun(const Spec& spec, std::size_t places, const IoObservers& observers);
  PiosimRun(const PiosimRun&) = delete;
  PiosimRun& operator=(const PiosimRun&) = delete;

  PacketNetwork& network() { return piosim_; }
  /// Null if pfs.servers = 0.
  ParallelFileSystem* files() { return piosim_.has_files() ? &piosim_ : nullptr; }
  /// Whether any event is pending.
  bool under_way() const { return piosim_.next() != Time::never(); }
  void report(Results& results) const;

private:
  ResultRecords server_records() const;
  ResultRecords edge_records() const;
  /// Sets a SimGrid timer to the platform's next event.
  void arm();

  piosim::Piosim piosim_;
  simgrid::kernel::timer::Timer* timer_ = nullptr;
  Time armed_ = Time::never();
};

/// Null if packets.network = off.
std::unique_ptr<PiosimRun> make_piosim(const Spec& spec, std::size_t places, const IoObservers& observers);

} // namespace hypermon
