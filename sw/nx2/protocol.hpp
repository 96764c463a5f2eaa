// SPDX-License-Identifier: BSD-3-Clause
// NX/2's messages between the nodes. The MPI calls of the program (calls.cpp) and SimGrid's communication signals act
// through this.
//
// A short message: the sender's software, the wire, the receiver's software. A long one: the sender's software, the
// request's flight, the receiver's (once the receive is posted), the grant's flight, the sender's, the data, the
// receiver's (facts: three trips). Each step's event is written by the CPU that makes it, when it makes it, and the
// next step waits for it. A node whose rank is not blocked in the call that waits for the data is interrupted at their
// end.
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
  /// Of all ranks. From now on the run's MPI calls are NX/2's. All must live longer.
  MessageProtocol(OperatingSystem& os, Machine& machine, MpiLayer& mpi);
  MessageProtocol(const MessageProtocol&) = delete;
  MessageProtocol& operator=(const MessageProtocol&) = delete;
  ~MessageProtocol();
  /// Connects SimGrid's communication signals.
  void start();

  /// `blocks`: the sender awaits a long one's grant; `synchronous`: the message is treated as a long one.
  std::shared_ptr<Message> prepare(int source, int destination, int tag, Context context, std::int64_t bytes,
                                   bool blocks, bool synchronous = false);
  void send(const std::shared_ptr<Message>& message);
  /// Only so many of its bytes go to SMPI, which has not got them yet.
  void shorten(const std::shared_ptr<Message>& message, std::int64_t bytes);
  /// Takes back a message that no receive has matched; false if one has.
  bool withdraw(const std::shared_ptr<Message>& message);
  void post(int rank, const std::shared_ptr<Receive>& receive);
  Matcher& matcher(int rank) { return matchers_[static_cast<std::size_t>(rank)]; }
  /// The rank no longer sleeps in the call that would have taken the receive's data: from now on it is interrupted.
  void unblock(Receive& receive);
  /// A message that a receive would get now; none if none is here.
  std::shared_ptr<const Message> probe(int rank, const Receive& wanted) const;
  /// Blocks until the rank's node takes note of some message.
  void await_notice(int rank);

  // A message's steps, in kernel mode on one of its two nodes: the time they take, and their events.
  /// Receiver of a long message: its request is here and the receive is posted.
  void grant(NodeKernel& k, const std::shared_ptr<Message>& message);
  /// Sender of a long message: the grant is here.
  void take_grant(NodeKernel& k, const Message& message) const;
  /// Sender of a long message: the data have left.
  void finish_departure(NodeKernel& k, const Message& message) const;
  /// Receiver: the data are here.
  void take_delivery(NodeKernel& k, const Message& message) const;
  /// CPU time of each software step of a message of that size.
  Time overhead(std::int64_t bytes) const { return machine_.message_overhead(bytes); }
  bool is_short(std::int64_t bytes) const { return machine_.is_short(bytes); }
  PointData describe(const Message& message, int peer) const {
    return os_.ranks.describe(peer, message.bytes, message.tag);
  }

private:
  /// From, to, bytes: all that SimGrid tells of a transfer.
  using Wire = std::tuple<const simgrid::s4u::Host*, const simgrid::s4u::Host*, double>;
  using Messages = std::multimap<Wire, std::shared_ptr<Message>>;
  /// That of so many of the message's bytes.
  Wire wire(const Message& message, std::int64_t bytes) const;
  /// Removes and returns the oldest message that the transfer may carry, if one of ours.
  static Messages::node_type take(Messages& messages, const Machine::Transfer& transfer);
  /// SMPI will not carry it.
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
  Messages before_wire_; // sent, transfer not begun; of the same places and size in the order of the sends
  Messages on_wire_;     // in the order of the transfers' beginnings
};

inline MessageProtocol* the_protocol = nullptr;
/// The object of the process: MPI's functions have no argument of ours.
inline MessageProtocol& protocol() { return *the_protocol; }

} // namespace hypermon
