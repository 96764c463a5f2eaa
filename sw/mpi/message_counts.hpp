// SPDX-License-Identifier: BSD-3-Clause
// Counts of the programs' messages and of their queues, for every library that carries messages.
#pragma once
#include "hw/packets/core/packet_network.hpp"
#include "sw/mpi/smpi_messages.hpp"
#include "sw/mpi/traffic.hpp"
#include "sw/os/operating_system.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace hypermon {

class MessageCounts {
public:
  /// What a rank's messages wait for.
  struct Queues {
    std::uint64_t posted;
    std::uint64_t unexpected;
    std::int64_t buffered_bytes;
  };
  /// `observers`: those of SMPI's messages.
  MessageCounts(OperatingSystem& os, const IoObservers& observers) : os_(os), observers_(observers) {}
  MessageCounts(const MessageCounts&) = delete;
  MessageCounts& operator=(const MessageCounts&) = delete;
  ~MessageCounts();

  /// Messages and their transfers are counted from now on.
  void keep();
  /// Only if it is kept.
  const Traffic& traffic() const { return *traffic_; }
  /// Where a library of its own counts its messages; null: nobody asks.
  Traffic* counted() { return traffic_.get(); }
  /// Of the rank, now; only if messages are counted.
  Queues queues(int rank) const;
  /// A library of its own knows its queues. Before the ranks start.
  void ask_for_queues(std::function<Queues(int rank)> of_library) { queues_ = std::move(of_library); }
  /// And which of its transfers are under way. Before the ranks start.
  void ask_for_transfers(Traffic::UnderWay of_library) { transfers_ = std::move(of_library); }
  /// What passes a node's interface to this network is counted there. Before the ranks start.
  void add(const PacketNetwork& network) { network_ = &network; }
  /// Traffic of the node on the network of packets, if the machine has one.
  InterfaceTraffic packets(NodeId node) const;

private:
  OperatingSystem& os_;
  const IoObservers& observers_;
  std::unique_ptr<Traffic> traffic_;  // none: nobody asks
  std::function<Queues(int)> queues_; // none: SMPI's are known here
  Traffic::UnderWay transfers_;       // none: SMPI's are known here
  const PacketNetwork* network_ = nullptr;
  std::unique_ptr<SmpiMessages> smpi_messages_; // with machine.messages = smpi
};

} // namespace hypermon
