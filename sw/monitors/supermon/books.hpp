// What Supermon's processes find on their computers in a run: the nodes' counters, and the run's log of samples.
#pragma once
#include "sw/monitors/sample_log.hpp"
#include "sw/monitors/supermon/core/surroundings.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace hypermon {
class Site;
} // namespace hypermon

namespace hypermon::supermon {

class Books final : public Surroundings {
public:
  /// `counters`: their names, of supermon.counters. Throws UserError if there is no such.
  Books(Site& site, const std::string& counters);

  void sample(NodeId node, const Query& query, Time now, SexprWriter& out) override;
  void put(NodeId node, const std::string& source, Text text, Time now) override;
  void mon_died(NodeId node, Time now) override;
  void arrive(std::uint32_t sink, const Sexpr& sample, Time now) override;
  void lose(std::uint64_t serial, Loss why) override;
  void buried(Peer, Peer daemon, Time now) override { burials_.emplace_back(daemon, now); }

  /// Nothing arrives any more: what is still under way never will.
  void close();
  /// When it was first taken for dead from `begin` on; none if it was not.
  std::optional<Time> buried_after(Peer daemon, Time begin) const;

private:
  struct Carried {
    std::vector<Sample> samples;
  };
  Carried settle(std::uint64_t serial);

  Site& site_;
  std::map<std::string, CounterId> counters_;
  std::uint64_t serials_ = 0;
  std::unordered_map<std::uint64_t, Carried> under_way_; // by serial number
  std::vector<std::pair<Peer, Time>> burials_;
};

} // namespace hypermon::supermon
