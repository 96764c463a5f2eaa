// SPDX-License-Identifier: BSD-3-Clause
// NX/2's messages between the nodes. The program's MPI calls (calls.cpp) and SimGrid's communication signals use this
// class.
//
// A short message takes the sender's software, the wire and the receiver's software. A long one takes three trips
// (facts): the request travels after the sender's software has run; the receiver grants it once the receive is posted;
// the grant travels back, and the sender's software sends the data to the receiver. The CPU that takes a step writes
// its event at that time, and the next step waits for it. When the data have arrived, the receiving node is interrupted
// unless its rank is blocked in a call that waits for them.
#pragma once
#include "hw/machine/machine.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/nx2/message.hpp"
#include "sw/os/operating_system.hpp"

#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace hypermon {

class MessageProtocol {
public:
  /// Serves all ranks. From now on the run's MPI calls are NX/2's. The arguments must outlive this object.
  MessageProtocol(OperatingSystem& os, Machine& machine, MpiLayer& mpi);
  MessageProtocol(const MessageProtocol&) = delete;
  MessageProtocol& operator=(const MessageProtocol&) = delete;
  ~MessageProtocol();
  /// Connects SimGrid's communication signals.
  void start();

  /// `blocks`: the sender waits for a long message's grant. `synchronous`: the message is treated as a long one.
  std::shared_ptr<Message> prepare(int source, int destination, int tag, Context context, std::int64_t bytes,
                                   bool blocks, bool synchronous = false);
  void send(const std::shared_ptr<Message>& message);
  /// Only `bytes` bytes of the message go to SMPI, which has not got them yet.
  void shorten(const std::shared_ptr<Message>& message, std::int64_t bytes);
  /// Takes back a message that no receive has matched; returns false if one has.
  bool withdraw(const std::shared_ptr<Message>& message);
  void post(int rank, const std::shared_ptr<Receive>& receive);
  Matcher& matcher(int rank) { return matchers_[static_cast<std::size_t>(rank)]; }
  /// The rank no longer sleeps in the call that waits for the receive's data: their arrival will interrupt the node.
  void unblock(Receive& receive);
  /// The message that a receive would get now; null if there is none.
  std::shared_ptr<const Message> probe(int rank, const Receive& wanted) const;
  /// Blocks until the rank's node notices a message.
  void await_notice(int rank);

  // Steps of a message, in kernel mode on one of its two nodes, with their CPU time and events.
  /// Receiver of a long message: the request has arrived and the receive is posted.
  void grant(NodeKernel& k, const std::shared_ptr<Message>& message);
  /// Sender of a long message: the grant has arrived.
  void take_grant(NodeKernel& k, const Message& message) const;
  /// Sender of a long message: the data have left.
  void finish_departure(NodeKernel& k, const Message& message) const;
  /// Receiver: the data have arrived.
  void take_delivery(NodeKernel& k, const Message& message) const;
  /// CPU time of each software step of a message with that size.
  Time overhead(std::int64_t bytes) const { return machine_.message_overhead(bytes); }
  bool is_short(std::int64_t bytes) const { return machine_.is_short(bytes); }
  PointData describe(const Message& message, int peer) const {
    return os_.ranks.describe(peer, message.bytes, message.tag);
  }

private:
  /// Source, destination and bytes: all that SimGrid reports of a transfer.
  using Wire = std::tuple<const simgrid::s4u::Host*, const simgrid::s4u::Host*, double>;
  using Messages = std::multimap<Wire, std::shared_ptr<Message>>;
  /// The transfer of `bytes` bytes of the message.
  Wire wire(const Message& message, std::int64_t bytes) const;
  /// Removes and returns the oldest message that fits the transfer; empty if the transfer is SMPI's own.
  static Messages::node_type take(Messages& messages, const Machine::Transfer& transfer);
  /// Forgets a message that SMPI will not carry.
  void take_from_wire(const std::shared_ptr<Message>& message);
  void transfer_begins(const Machine::Transfer& transfer);
  void transfer_ends(const Machine::Transfer& transfer);
  void later(Time when, const std::function<void()>& action);
  Time flight(const Message& message) const;
  void give_notice(int rank);
  void tell_begins(Message& message);
  void request_arrives(const std::shared_ptr<Message>& message);
  void data_arrive(Message& message);
  void note_arrival(Message& message);
  NodeKernel& kernel(int rank) { return *os_.ranks.all()[static_cast<std::size_t>(rank)].kernel; }

  OperatingSystem& os_;
  Machine& machine_;
  MpiLayer& mpi_;
  std::vector<Matcher> matchers_;                           // by rank
  std::vector<simgrid::s4u::SemaphorePtr> awaiting_notice_; // ranks blocked in a probe
  std::uint64_t next_message_ = 1;
  Messages before_wire_; // sent, transfer not begun; equal keys are in the order of the sends
  Messages on_wire_;     // in the order in which the transfers began
};

inline MessageProtocol* the_protocol = nullptr;
/// The process's only protocol. It is global because MPI's functions have no parameter for it.
inline MessageProtocol& protocol() { return *the_protocol; }

} // namespace hypermon
