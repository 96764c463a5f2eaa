// Messages under way and receives that were posted, matched in MPI's order. This is what NX/2 on each node knows of a
// message; SMPI moves the data.
#pragma once
#include "hw/core/time.hpp"

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace hypermon {

/// Who may talk to whom: the program's world, or the library's collective operations.
enum class Context : std::uint8_t { program, collective };

struct Message;

struct Receive {
  Context context = Context::program;
  std::optional<int> source; // any, if absent
  std::optional<int> tag;
  bool blocked = false; // the rank sleeps in a call until this receive is complete
  std::shared_ptr<Message> message;
};

struct Message {
  std::uint64_t id = 0;
  Context context = Context::program;
  int source = 0;
  int destination = 0;
  int tag = 0;
  std::int64_t bytes = 0;
  bool is_short = false;

  simgrid::s4u::SemaphorePtr grant; // long: the blocked sender waits here for the receiver's grant
  bool request_noticed = false;     // long: the receiving node has taken note of the request
  bool arrival_noticed = false;     // the receiving node has taken note of the data's end
  std::weak_ptr<Receive> receive;   // the matching one, if it was posted
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

private:
  static bool fits(const Receive& receive, const Message& message);
  static void match(const std::shared_ptr<Receive>& receive, const std::shared_ptr<Message>& message);

  std::deque<std::shared_ptr<Message>> unexpected_;
  std::deque<std::shared_ptr<Receive>> posted_;
};

} // namespace hypermon
