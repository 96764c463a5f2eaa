// SPDX-License-Identifier: BSD-3-Clause
// Counts the programs' messages and the entries of their queues, for every library that carries messages.
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
  /// Lengths of a rank's message queues.
  struct Queues {
    std::uint64_t posted;
    std::uint64_t unexpected;
    std::int64_t buffered_bytes;
  };
  /// `observers`: observers of SMPI's messages.
  MessageCounts(OperatingSystem& os, const IoObservers& observers) : os_(os), observers_(observers) {}
  MessageCounts(const MessageCounts&) = delete;
  MessageCounts& operator=(const MessageCounts&) = delete;
  ~MessageCounts();

  /// Counts messages and their transfers from now on.
  void keep();
  /// Valid only after keep().
  const Traffic& traffic() const { return *traffic_; }
  /// Counters of messages for hypermon's own library; null if messages are not counted.
  Traffic* counted() { return traffic_.get(); }
  /// Current queues of the rank. Valid only after keep().
  Queues queues(int rank) const;
  /// Sets the source of queue lengths for a library of hypermon's own. Call before the ranks start.
  void ask_for_queues(std::function<Queues(int rank)> of_library) { queues_ = std::move(of_library); }
  /// Sets the source of transfers under way for such a library. Call before the ranks start.
  void ask_for_transfers(Traffic::UnderWay of_library) { transfers_ = std::move(of_library); }
  /// The network counts the traffic at each node's interface to it. Call before the ranks start.
  void add(const PacketNetwork& network) { network_ = &network; }
  /// Traffic of the node on the packet network, if the machine has one.
  InterfaceTraffic packets(NodeId node) const;

private:
  OperatingSystem& os_;
  const IoObservers& observers_;
  std::unique_ptr<Traffic> traffic_;  // null: messages are not counted
  std::function<Queues(int)> queues_; // empty: SMPI's queues are known here
  Traffic::UnderWay transfers_;       // empty: SMPI's transfers are known here
  const PacketNetwork* network_ = nullptr;
  std::unique_ptr<SmpiMessages> smpi_messages_; // with machine.messages = smpi
};

} // namespace hypermon
