// SPDX-License-Identifier: BSD-3-Clause
// Messages under way and receives that were posted, matched in MPI's order. This is what NX/2 on each node knows of a
// message; SMPI moves the data.
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
  std::optional<int> source; // any, if absent
  std::optional<int> tag;
  const std::vector<int>* members = nullptr; // of its communicator, as ranks of MPI_COMM_WORLD
  std::int64_t room = 0;                     // in bytes
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
  std::vector<char> cut; // what of it goes to SMPI, if that is not all of it: more than there is room for

  simgrid::s4u::SemaphorePtr grant; // long: the blocked sender waits here for the receiver's grant
  bool request_noticed = false;     // long: the receiving node has taken note of the request
  bool granted = false;             // long: the receiving node has granted it
  bool arrived = false;             // the data's end is there
  bool arrival_noticed = false;     // the receiving node has taken note of it
  bool is_apart = false;            // SMPI knows it by no request of the program's: short, or its destination has ended
  bool is_cancelled = false;
  std::function<void()> skip;     // a long isend's: SMPI shall not wait for it, now that it is cancelled
  std::weak_ptr<Receive> receive; // the matching one, if it was posted
  OperationId told;               // what observers of messages know it by
};

/// Messages of one destination in the order of their sends, receives in the order of their posts.
class Matcher {
public:
  /// Matches the oldest posted receive, or leaves the message for a later one.
  void send(const std::shared_ptr<Message>& message);
  /// Matches the oldest message that fits, or waits for one.
  void post(const std::shared_ptr<Receive>& receive);
  /// The oldest message that fits and that the node has taken note of; stays where it is.
  std::shared_ptr<const Message> probe(const Receive& wanted) const;
  // For who reads counters. Of the unexpected ones: what the node has taken note of.
  std::size_t posted() const { return posted_.size(); }
  std::size_t unexpected() const;
  /// Of short messages that are there, and that no receive has been posted for.
  std::int64_t buffered_bytes() const;
  /// SMPI gave `receive` another message than the one it was matched with (one overtook a long one that awaited its
  /// grant): it gets the oldest unmatched one of that source, tag and size, and gives its own back.
  void correct(const std::shared_ptr<Receive>& receive, int source, int tag, std::int64_t bytes);
  /// The receive is cancelled.
  void withdraw(const std::shared_ptr<Receive>& receive) { std::erase(posted_, receive); }
  /// The send is cancelled; false if a receive has matched it.
  bool withdraw(const std::shared_ptr<Message>& message) { return std::erase(unexpected_, message) > 0; }

  static void match(const std::shared_ptr<Receive>& receive, const std::shared_ptr<Message>& message);

private:
  static bool fits(const Receive& receive, const Message& message);
  /// Matches the oldest posted receive that fits, if there is one.
  bool match_posted(const std::shared_ptr<Message>& message);

  std::deque<std::shared_ptr<Message>> unexpected_;
  std::deque<std::shared_ptr<Receive>> posted_;
};

} // namespace hypermon
