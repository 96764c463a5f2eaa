// SPDX-License-Identifier: BSD-3-Clause
// Determines the fate of bursts that are not decoded (imported streams of events). It knows every datum that the nodes
// wrote.
//
// Every burst has exactly one of these fates:
// - delivered: all its data arrived as they were written;
// - lost at the (stage, cause) that lost or falsified its first missing or wrong datum.
// Data count as lost where the hardware lost them. The other data of a lost burst count as delivered data.
//
// A node's data arrive in the order in which they were written, and a loss is reported before any later datum of its
// node arrives (CaptureChain::Observers). So counting identifies each datum that arrives. The frames must contain only
// data of the nodes, and no garbage of a board at power-on.
//
// Memory does not grow with the stream or with the bursts in flight, because most of a long queue is in a file.
#pragma once
#include "base/deep_queue.hpp"
#include "base/histogram.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/monitors/hypermon/trace_checker.hpp"
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace hypermon {

class BurstJudge {
public:
  explicit BurstJudge(std::uint32_t nodes);

  /// Keeps `bursts` at either end of each node's queue in memory. Call it before the first burst is written.
  void keep_in_memory(std::size_t bursts) {
    for (Node& node : nodes_) node.pending.keep_in_memory(bursts);
  }
  /// Names a place where data can get lost. At most 255.
  CauseId add_cause(std::string_view stage, std::string_view cause) {
    losses_.push_back({std::string(stage), std::string(cause), 0, 0});
    return static_cast<CauseId>(losses_.size() - 1);
  }

  /// The node began at `start` to write a burst. `data`: number of its data, at least 1. `first_strobe`: first strobe.
  void wrote(NodeId node, std::uint32_t data, Time start, Time first_strobe);
  /// The node's datum with that number (from 0) was lost, or arrives with a wrong value.
  void lost(NodeId node, std::uint64_t sequence, CauseId cause);
  void falsified(NodeId node, std::uint64_t sequence, CauseId cause);
  /// The node's next `n` data have arrived. `stamp(i)`: the monitor's timestamp of datum i. `read(i)`: time at which
  /// datum i was in the I/O node's memory.
  template <class Stamp, class Read> void arrived(NodeId node, std::size_t n, Stamp&& stamp, Read&& read) {
    Queue& queue = nodes_[index(node)].pending;
    delivered_data_ += n;
    for (std::size_t i = 0; i < n;) {
      if (queue.size() == 0) throw std::logic_error("internal error: a datum arrived that no node wrote");
      Pending& burst = queue[0];
      if (burst.arrived == 0) burst.stamp = stamp(i);
      const auto taken = std::min<std::size_t>(burst.open(), n - i);
      burst.arrived += static_cast<std::uint32_t>(taken);
      i += taken;
      settle(queue, read(i - 1));
    }
  }
  /// No more data of the node will arrive: its last `n` data are lost.
  void lost_rest(NodeId node, std::uint64_t n, CauseId cause);

  std::uint64_t generated_bursts() const { return generated_bursts_; }
  std::uint64_t generated_data() const { return generated_data_; }
  std::uint64_t delivered_bursts() const { return delivered_bursts_; }
  std::uint64_t delivered_data() const { return delivered_data_; }
  /// Bursts without a fate yet.
  std::uint64_t in_flight_bursts() const;
  /// For each cause in the order of add_cause(); `nibbles` counts data.
  const std::vector<TraceLoss>& losses() const { return losses_; }
  /// Bursts that arrived completely, but with wrong values.
  std::uint64_t falsified_bursts() const { return falsified_bursts_; }

  /// For delivered bursts: time from the begin of the writing to the arrival in the I/O node's memory, and error of the
  /// timestamp against the first strobe.
  const TimeHistogram& latency() const { return latency_; }
  const TimestampError& timestamp_error() const { return timestamp_error_; }

private:
  static constexpr std::uint32_t no_datum = ~std::uint32_t{0};
  struct Pending {
    std::uint64_t first_sequence;
    std::uint32_t data;
    std::uint32_t arrived;
    std::uint32_t lost;
    std::uint32_t first_damaged; ///< index in the burst
    Time start;
    Time first_strobe;
    Time stamp;
    CauseId cause; ///< cause of the first damaged datum
    std::uint32_t open() const { return data - arrived - lost; }
    template <class Coder> void code(Coder& c, Pending& before) {
      c(first_sequence, before.first_sequence);
      c(data, before.data);
      c(arrived, before.arrived);
      c(start, before.start);
      c(first_strobe, before.first_strobe);
      c(stamp, before.stamp);
      c.fixed(lost);
      c.fixed(first_damaged);
      c.fixed(cause);
    }
  };
  using Queue = DeepQueue<Pending>;
  static constexpr std::size_t fewest_in_memory = 1 << 12; // bursts at either end of a node's queue
  static constexpr std::size_t most_in_memory = 1 << 16;   // bursts of all nodes, unless fewest_in_memory allows more
  struct Node {
    explicit Node(Queue queue) : pending(std::move(queue)) {}
    Queue pending; ///< oldest first
    std::uint64_t data = 0;
  };

  Pending* damage(NodeId node, std::uint64_t sequence, CauseId cause);
  void settle(Queue& queue, Time read_end);
  void settle_front(Queue& queue, Time read_end);

  std::vector<Node> nodes_;
  std::vector<TraceLoss> losses_;
  std::uint64_t generated_bursts_ = 0;
  std::uint64_t generated_data_ = 0;
  std::uint64_t delivered_bursts_ = 0;
  std::uint64_t delivered_data_ = 0;
  std::uint64_t falsified_bursts_ = 0;
  TimeHistogram latency_;
  TimestampError timestamp_error_;
};

} // namespace hypermon
