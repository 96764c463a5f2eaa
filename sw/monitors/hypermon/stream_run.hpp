// SPDX-License-Identifier: BSD-3-Clause
// A plain stream of events through the hardware (workload = stream): opaque bursts, which are not decoded. A burst is
// delivered if all its data arrived as they were written (burst_judge.hpp).
#pragma once
#include "hw/hypermon/wiring/core_chain.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "sw/monitors/cut.hpp"
#include "sw/monitors/hypermon/burst_judge.hpp"
#include "sw/monitors/hypermon/causes.hpp"
#include "sw/monitors/rerun.hpp"

#include <memory>
#include <vector>

namespace hypermon {

class Results;

class StreamRun final : public Rerun {
public:
  /// `directory`: for frame files. The specification must be one of a stream (check_together()).
  StreamRun(const Spec& spec, const std::string& directory, const Cut& cut = {});
  ~StreamRun() override;

  void program_ends(Time at) override;
  void add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side) override;
  Json finish(const Json& recorded, const std::string& scenario, Time begin, Time end) override;
  std::vector<std::pair<std::string, std::string>> places() const override { return places_of(judge_.losses()); }

private:
  struct Port {
    Time datum_cost; // from the begin of a burst's writing to its first strobe
    Time pitch;      // from one strobe to the next
    CaptureChain::Line line;
    Time next_from; // earliest begin of the next burst
  };
  class BoardStream;

  void report(Results& results, Time begin, Time end) const;

  Spec spec_;
  std::size_t datum_bytes_;
  std::uint64_t nibbles_per_datum_;
  BurstJudge judge_;
  Causes causes_;
  FaultCounts faults_{};
  CoreChain chain_;
  std::vector<Port> ports_;                           // by node
  std::vector<std::unique_ptr<BoardStream>> streams_; // one for each board
  Cut cut_;
  Time next_advance_;
  Time program_end_ = Time::never();
  std::size_t bursts_since_advance_ = 0;
};

} // namespace hypermon
