// SPDX-License-Identifier: BSD-3-Clause
// The simulator's judge of bursts that nobody decodes (imported streams of events): it knows every datum that the nodes
// wrote, and says what became of each burst.
//
// Every burst ends as exactly one of
// - delivered: all its data arrived as they were written;
// - lost at the (stage, cause) that took or falsified its first missing or wrong datum.
// Data count as lost where the hardware lost them; those of a lost burst that did arrive are delivered data.
//
// A node's data arrive in the order in which they were written, and a loss is told before any later datum of its node
// arrives (CaptureChain::Observers). So which datum it is that arrives follows from counting. This needs frames of the
// nodes' data only: not the garbage of a board at power-on.
//
// Memory does not grow with the stream or with the bursts in flight: most of a long queue is in a file.
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

  /// The node began at `start` to write a burst of `data`, at least one, that is strobed from `first_strobe` on.
  void wrote(NodeId node, std::uint32_t data, Time start, Time first_strobe);
  /// The node's datum of that number (from 0) was lost, or arrives with a wrong value.
  void lost(NodeId node, std::uint64_t sequence, CauseId cause);
  void falsified(NodeId node, std::uint64_t sequence, CauseId cause);
  /// The node's next `n` data are there. `stamp(i)`: the monitor's timestamp of the i-th of them; `read(i)`: when it
  /// was in the I/O node's memory.
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
  /// Nothing comes any more of the node: the `n` data that did not arrive yet are lost.
  void lost_rest(NodeId node, std::uint64_t n, CauseId cause);

  std::uint64_t generated_bursts() const { return generated_bursts_; }
  std::uint64_t generated_data() const { return generated_data_; }
  std::uint64_t delivered_bursts() const { return delivered_bursts_; }
  std::uint64_t delivered_data() const { return delivered_data_; }
  /// Not settled.
  std::uint64_t in_flight_bursts() const;
  /// Per cause, in the order of add_cause(); `nibbles` counts data.
  const std::vector<TraceLoss>& losses() const { return losses_; }
  /// Bursts that arrived whole, but not as they were written.
  std::uint64_t falsified_bursts() const { return falsified_bursts_; }

  /// From the start of the writing to the I/O node's memory, and the timestamp against the first strobe, of delivered
  /// bursts.
  const TimeHistogram& latency() const { return latency_; }
  const TimestampError& timestamp_error() const { return timestamp_error_; }

private:
  static constexpr std::uint32_t no_datum = ~std::uint32_t{0};
  struct Pending {
    std::uint64_t first_sequence;
    std::uint32_t data;
    std::uint32_t arrived;
    std::uint32_t lost;
    std::uint32_t first_damaged; ///< its place in the burst
    Time start;
    Time first_strobe;
    Time stamp;
    CauseId cause; ///< of the first damaged datum
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
