// SPDX-License-Identifier: BSD-3-Clause
// Place's updates: every accepted exchange goes to all nodes along a binomial tree rooted at its origin, and the leaf
// that the tree reaches last acknowledges it. An update takes as many messages as there are nodes, so each node sends
// and receives one message per update on average, for any number of nodes.
//
// An origin has one update under way; others wait in a queue. No node blocks for an acknowledgement, so a node may be
// inside a collective call while others wait for it to forward a message. All messages are short, so sends do not wait.
#pragma once
#include "sw/workloads/common/program.hpp"
#include <bit>
#include <cstdint>
#include <deque>
#include <functional>
#include <mpi.h>
#include <utility>

namespace hypermon::workloads {

struct Exchange {
  std::int32_t a;
  std::int32_t b;
};

class UpdateTree {
public:
  using Apply = std::function<void(Exchange)>;

  /// `apply` is called for every exchange of another node, in order for each origin.
  UpdateTree(Ranks ranks, Apply apply) : ranks_(ranks), apply_(std::move(apply)) {
    if (ranks_.count > 1) post();
  }

  void publish(Exchange exchange) {
    if (ranks_.count > 1) enqueue({Kind::exchange, ranks_.mine, exchange});
  }

  /// Processes the messages that have arrived, and returns at once.
  void poll() {
    while (receiving_) {
      int here = 0;
      MPI_Test(&request_, &here, MPI_STATUS_IGNORE);
      if (!here) return;
      take_and_repost();
    }
  }

  /// Returns when `updates` updates of other nodes since the beginning have been applied here, and all own updates have
  /// been applied everywhere.
  ///
  /// Polls for messages as poll() does, with `pause` between two polls.
  template <class Pause> void await(std::int64_t updates, Pause pause) {
    for (poll(); applied_ < updates || under_way_ || !queue_.empty(); poll()) pause();
  }

  /// Returns when every update of every node has been applied here and forwarded. An origin's farewell message follows
  /// its updates along the same tree, and messages on an edge do not overtake each other.
  void finish() {
    if (ranks_.count == 1) return;
    enqueue({Kind::farewell, ranks_.mine, {}});
    said_farewell_ = true;
    while (receiving_) {
      MPI_Wait(&request_, MPI_STATUS_IGNORE);
      take_and_repost();
    }
  }

private:
  enum class Kind : std::int32_t { exchange, farewell, acknowledgement };
  struct Message {
    Kind kind;
    std::int32_t origin;
    Exchange exchange;
  };
  static constexpr int tag = 1;

  void post() {
    receiving_ = true;
    MPI_Irecv(&incoming_, sizeof incoming_, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request_);
  }
  static void send(Message message, int to) { MPI_Send(&message, sizeof message, MPI_BYTE, to, tag, MPI_COMM_WORLD); }

  void enqueue(Message message) {
    queue_.push_back(message);
    start_next();
  }
  void start_next() {
    if (under_way_ || queue_.empty()) return;
    under_way_ = true;
    forward(queue_.front());
    queue_.pop_front();
  }

  /// In step k, the nodes whose distance to the origin is less than 2^k send along dimension k.
  void forward(Message message) const {
    const auto distance = static_cast<unsigned>(ranks_.mine ^ message.origin);
    for (int bit = 1 << std::bit_width(distance); bit < ranks_.count; bit <<= 1) send(message, ranks_.mine ^ bit);
    if (static_cast<int>(distance) == ranks_.count - 1)
      send({Kind::acknowledgement, message.origin, {}}, message.origin);
  }

  void take_and_repost() {
    const Message message = incoming_;
    receiving_ = false;
    switch (message.kind) {
    case Kind::acknowledgement:
      under_way_ = false;
      start_next();
      break;
    case Kind::farewell:
      ++farewells_;
      forward(message);
      break;
    case Kind::exchange:
      forward(message);
      apply_(message.exchange);
      ++applied_;
      break;
    }
    // The last message to a node is another node's farewell or the acknowledgement of its own.
    const bool finished = said_farewell_ && !under_way_ && queue_.empty() && farewells_ == ranks_.count - 1;
    if (!finished) post();
  }

  Ranks ranks_;
  Apply apply_;
  Message incoming_{};
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::deque<Message> queue_; // own updates that wait for the one under way
  bool receiving_ = false;
  bool under_way_ = false;
  bool said_farewell_ = false;
  int farewells_ = 0;        // farewells of other nodes
  std::int64_t applied_ = 0; // updates of other nodes
};

} // namespace hypermon::workloads
