// SPDX-License-Identifier: BSD-3-Clause
// Messages between two ranks on a packet network: short ones leave at once, long ones are announced and acknowledged
// first.
//
// A send is a step, and up to the limit one message; it is complete when the message has left. Above the limit it is an
// announcement, the acknowledgement, a step and the data. A receive is a step, the message or its announcement, and a
// step. It acknowledges an announced message, and is complete when the data have arrived. Any number of messages can
// wait in the receiver's memory. A plain message leaves at once, whatever its length. Messages of one sender are
// matched in the order of their sends, receives in the order of their calls.
#pragma once
#include "sw/messages/core/task.hpp"
#include "sw/messages/core/wire.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hypermon::messages {

/// Sizes in the protocol, in bytes.
struct Protocol {
  std::int64_t eager_limit = 100000;
  std::int64_t header = 0; // before the data
  std::int64_t announcement = 100;
  std::int64_t acknowledgement = 100;
};

/// Ranks are those among the processes of all programs.
struct Message {
  std::uint64_t context = 0; // context of the communicator
  int from = 0;
  int to = 0;
  int tag = 0;
  std::int64_t bytes = 0;
  bool synchronous = false; // complete only when a receive has matched it
  bool is_plain = false;    // one message without a header, whatever its length
  OperationId cause;
  std::vector<char> data{};

  // State of the protocol.
  bool announced = false;
  bool is_matched = false; // a receive has matched it
  bool is_cancelled = false;
  std::uint64_t number = 0; // counts the sender's messages to this receiver
  int step = 0;             // step of the algorithm that it belongs to
  OperationId receivers{};  // the call that receives it, once known
  Wire::Done acknowledged{};
  Wire::Done delivered{};
};

struct Receive {
  std::uint64_t context = 0;
  int rank = 0;
  std::optional<int> from; // none: any
  std::optional<int> tag;
  OperationId cause;
  std::shared_ptr<Message> message{}; // once matched
  bool cancelled = false;
  Wire::Done matched{};
};

class PointToPoint {
public:
  PointToPoint(Wire& wire, const Protocol& protocol, std::size_t ranks)
      : wire_(wire), protocol_(protocol), ranks_(ranks) {}

  const Protocol& protocol() const { return protocol_; }
  /// `algorithm` and `step` are for observers. The task ends when the send is complete.
  Task send(std::shared_ptr<Message> message, const char* algorithm = nullptr, int step = 0);
  /// The task ends when the message has arrived: receive->message.
  Task receive(std::shared_ptr<Receive> receive);
  /// The oldest arrived message that the receive would match; null if there is none.
  std::shared_ptr<const Message> probe(const Receive& wanted) const;
  /// Cancels the receive if it has no message yet. Its task ends without a message.
  bool withdraw(const std::shared_ptr<Receive>& receive);
  /// Cancels a send that no receive has matched: data that have left are dropped on arrival, announced data are not
  /// sent.
  bool withdraw(const std::shared_ptr<Message>& message);
  /// `notice` is called whenever a message arrives that no receive waits for.
  void on_unexpected(std::function<void(int rank)> notice) { notice_ = std::move(notice); }

  // For counters.
  std::size_t posted(int rank) const { return queues_of(rank).posted.size(); }
  std::size_t unexpected(int rank) const { return queues_of(rank).unexpected.size(); }
  std::int64_t unexpected_bytes(int rank) const;

private:
  struct RankQueues {
    std::deque<std::shared_ptr<Message>> unexpected;
    std::deque<std::shared_ptr<Receive>> posted;
    std::map<int, std::uint64_t> sent; // number of messages to each receiver
    std::map<int, std::uint64_t> come; // number of messages from each sender, in order
    std::map<std::pair<int, std::uint64_t>, std::shared_ptr<Message>> early; // overtook another
  };

  Task send_now(std::shared_ptr<Message> message, const char* algorithm);
  Task receive_now(std::shared_ptr<Receive> receive);
  static MessageStep step_of(const Message& message, const char* what, std::int64_t bytes);
  void comes(const std::shared_ptr<Message>& message);
  void take_in(const std::shared_ptr<Message>& message);
  static bool fits(const Receive& receive, const Message& message);
  static void match(const std::shared_ptr<Receive>& receive, const std::shared_ptr<Message>& message);
  RankQueues& queues_of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  const RankQueues& queues_of(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  Wire& wire_;
  Protocol protocol_;
  std::vector<RankQueues> ranks_;
  std::function<void(int)> notice_;
};

} // namespace hypermon::messages
