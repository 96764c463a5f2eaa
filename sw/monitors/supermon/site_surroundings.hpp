// SPDX-License-Identifier: BSD-3-Clause
// The environment of Supermon's processes in a run: the nodes' counters and monholes, and the run's log of samples.
#pragma once
#include "base/text_file.hpp"
#include "sw/monitors/sample_log.hpp"
#include "sw/monitors/supermon/core/surroundings.hpp"
#include "sw/monitors/supermon/writer.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {
class Site;
} // namespace hypermon

namespace hypermon::supermon {

class SiteSurroundings final : public Surroundings {
public:
  /// `counters`: names in supermon.counters. `writer`: null if nothing writes into monholes. Throws UserError for an
  /// unknown counter.
  SiteSurroundings(Site& site, const std::string& counters, const BufferSetting& monhole, std::uint32_t sinks,
                   Writer* writer);

  void sample(NodeId node, const Query& query, Time now, SexprWriter& out) override;
  void put(NodeId node, const std::string& source, Text text, Time now) override;
  void command(NodeId node, std::string_view expression, Time now) override;
  std::string command_of(std::uint32_t sink, Time now) override;
  std::vector<Row> rows_of(const Sexpr& text) override;
  void mon_died(NodeId node, Time now) override;
  void arrive(std::uint32_t sink, const Sexpr& sample, Time now) override;
  void lose(std::uint64_t serial, Loss why) override;
  void received(std::uint32_t sink, const std::string& answer, Time now) override;
  void arrive_combined(const Query& query, const Sexpr& combined, Time now) override;
  void combined(std::size_t before, std::size_t after) override {
    bytes_saved_ += static_cast<std::int64_t>(before) - static_cast<std::int64_t>(after);
  }
  void buried(Peer, Peer daemon, Time now) override { burials_.emplace_back(daemon, now); }

  /// Keeps all answers to the client in the run's folder.
  void log(std::uint32_t sink);
  /// No more samples arrive: those still under way are lost.
  void close();
  /// When the daemon was first taken for dead at or after `begin`; none if it was not.
  std::optional<Time> buried_after(Peer daemon, Time begin) const;
  /// Bytes by which combining in supermons reduced the answers.
  std::int64_t bytes_saved() const { return bytes_saved_; }
  /// The monhole of each node.
  const std::vector<MonholeBuffer>& monholes() const { return monholes_; }

private:
  /// Contents of a node's answer.
  struct Carried {
    NodeId node{};
    std::vector<Sample> samples{};
    std::vector<std::shared_ptr<const Entry>> entries{};
  };
  Carried settle(std::uint64_t serial);
  void lose(const Carried& carried, const char* cause);
  void arrive_samples(const Carried& carried, const Sexpr& kernel, Time now);
  void arrive_entries(const Carried& carried, const Sexpr& monhole, std::uint32_t sink, Time now);

  Site& site_;
  Writer* writer_;
  std::map<std::string, CounterId> counters_;
  std::vector<MonholeBuffer> monholes_; // by node
  std::vector<std::uint64_t> written_;  // by node: numbers of its entries
  std::uint64_t serials_ = 0;
  std::int64_t bytes_saved_ = 0;
  std::string combined_;                       // lines of combined.csv
  std::map<std::uint64_t, Carried> under_way_; // by serial number
  std::vector<std::pair<Peer, Time>> burials_;
  std::map<std::uint32_t, std::unique_ptr<GrowingText>> logs_; // by client
};

} // namespace hypermon::supermon
