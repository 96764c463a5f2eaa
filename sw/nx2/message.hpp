// SPDX-License-Identifier: BSD-3-Clause
// Messages under way and posted receives, matched in MPI's order. These are the data that NX/2 on each node has about a
// message; SMPI moves the contents.
#pragma once
#include "base/time.hpp"
#include "hw/machine/operation.hpp"
#include "sw/mpi/communicator.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hypermon {

struct Message;

struct Receive {
  Context context = Context::world;
  std::optional<int> source; // none: any source
  std::optional<int> tag;
  const std::vector<int>* members = nullptr; // members of its communicator, as ranks of MPI_COMM_WORLD
  std::int64_t room = 0;                     // size of the buffer in bytes
  bool blocked = false;                      // the rank sleeps in a call until this receive is complete
  bool is_cancelled = false;
  std::shared_ptr<Message> message;
};

struct Message {
  std::uint64_t id = 0;
  Context context = Context::world;
  int source = 0;
  int destination = 0;
  int tag = 0;
  std::int64_t bytes = 0;
  bool is_short = false;
  std::vector<char> cut; // the part that SMPI gets of a message that is too long for its receive; otherwise empty

  simgrid::s4u::SemaphorePtr grant; // long: the blocked sender waits here for the receiver's grant
  bool request_noticed = false;     // long: the receiving node has taken note of the request
  bool granted = false;             // long: the receiving node has granted it
  bool arrived = false;             // the end of the data has arrived
  bool arrival_noticed = false;     // True once the receiving node has noticed the arrival
  bool is_apart = false;            // not bound to a program request in SMPI: short, or its destination has ended
  bool is_cancelled = false;
  std::function<void()> skip;     // for a cancelled long isend: keeps SMPI from waiting for the message
  std::weak_ptr<Receive> receive; // the matching receive, if it was posted
  OperationId reported_as;        // identifies the message for observers
};

/// Matches messages of one destination with receives, messages in the order of their sends and receives in the order of
/// their posts.
class Matcher {
public:
  /// Matches the message with the oldest posted receive that fits, or keeps it for a later one.
  void send(const std::shared_ptr<Message>& message);
  /// Matches the receive with the oldest message that fits, or keeps it until one is sent.
  void post(const std::shared_ptr<Receive>& receive);
  /// The oldest fitting message that the node has noticed. It is not removed.
  std::shared_ptr<const Message> probe(const Receive& wanted) const;
  // For counters. unexpected() counts only messages that the node has noticed.
  std::size_t posted() const { return posted_.size(); }
  std::size_t unexpected() const;
  /// Bytes of the short messages that have arrived without a posted receive.
  std::int64_t buffered_bytes() const;
  /// Corrects a match: SMPI gave `receive` another message, because a message overtook a long one that awaited its
  /// grant. The receive gets the oldest unmatched message of that source, tag and size, and returns its previous
  /// message.
  void correct(const std::shared_ptr<Receive>& receive, int source, int tag, std::int64_t bytes);
  /// Cancels the receive.
  void withdraw(const std::shared_ptr<Receive>& receive) { std::erase(posted_, receive); }
  /// Cancels the send. Returns false if a receive has matched it.
  bool withdraw(const std::shared_ptr<Message>& message) { return std::erase(unexpected_, message) > 0; }

  static void match(const std::shared_ptr<Receive>& receive, const std::shared_ptr<Message>& message);

private:
  static bool fits(const Receive& receive, const Message& message);
  /// Matches the message with the oldest posted receive that fits, if there is one.
  bool match_posted(const std::shared_ptr<Message>& message);

  std::deque<std::shared_ptr<Message>> unexpected_;
  std::deque<std::shared_ptr<Receive>> posted_;
};

} // namespace hypermon
