// SPDX-License-Identifier: BSD-3-Clause
// A collective call in progress: its members, and its messages, which wait at their receivers.
//
// Ranks are those of the communicator here. Messages are plain (size and header), without a protocol and without
// matching by tag: a rank awaits the next message of another rank in a phase.
#pragma once
#include "sw/messages/core/task.hpp"
#include "sw/messages/core/wire.hpp"

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace hypermon::messages {

/// Distinguishes messages between the same two ranks.
enum class Phase : std::uint8_t { ready, data, more };

class Collective {
public:
  /// `members`: ranks among the processes of all programs. The wire must outlive this object.
  Collective(Wire& wire, std::vector<int> members)
      : wire_(wire), members_(std::move(members)), entered_(members_.size()) {}

  Wire& wire() const { return wire_; }
  int size() const { return static_cast<int>(members_.size()); }
  int process(int rank) const { return members_[static_cast<std::size_t>(rank)]; }

  void send(int from, int to, Phase phase, std::int64_t bytes, OperationId cause, const char* algorithm, int step,
            Wire::Done left);
  void receive(int to, int from, Phase phase, Wire::Done done);

  // The global view: ranks know of each other without messages. A call may have several such parts in sequence.
  //
  // The rank enters its next part; returns the number of that part.
  int enter(int rank);
  bool have_entered(int first, int last, int part) const {
    return std::all_of(entered_.begin() + first, entered_.begin() + last + 1,
                       [part](int entered) { return entered >= part; });
  }
  /// Calls `done`, but never at once, when all ranks from `first` to `last` have entered that part.
  void when_entered(int first, int last, int part, Wire::Done done) {
    waiting_.push_back({first, last, part, std::move(done)});
  }

private:
  struct Box {
    int arrived = 0;
    std::deque<Wire::Done> awaited{};
  };
  struct Waiting {
    int first;
    int last;
    int part;
    Wire::Done done;
  };

  Wire& wire_;
  std::vector<int> members_;
  std::map<std::tuple<int, int, Phase>, Box> boxes_; // to, from
  std::vector<int> entered_;                         // number of parts entered, by rank
  std::vector<Waiting> waiting_;
};

/// Sends and receives that are posted together and awaited together with co_await.
class AtOnce {
public:
  AtOnce(Collective& collective, int rank, OperationId cause, const char* algorithm, int step)
      : collective_(collective), rank_(rank), cause_(cause), algorithm_(algorithm), step_(step) {}

  void send(int to, std::int64_t bytes, Phase phase = Phase::data) { posts_.push_back({true, to, phase, bytes}); }
  void receive(int from, Phase phase = Phase::data) { posts_.push_back({false, from, phase, 0}); }
  bool empty() const { return posts_.empty(); }

  bool await_ready() const { return posts_.empty(); }
  bool await_suspend(std::coroutine_handle<> caller) {
    left_ = posts_.size() + 1;
    const auto done = [this, caller] {
      if (--left_ == 0) caller.resume();
    };
    for (const Post& p : posts_)
      if (p.sends)
        collective_.send(rank_, p.peer, p.phase, p.bytes, cause_, algorithm_, step_, done);
      else
        collective_.receive(rank_, p.peer, p.phase, done);
    return --left_ > 0;
  }
  void await_resume() const {}

private:
  struct Post {
    bool sends;
    int peer;
    Phase phase;
    std::int64_t bytes;
  };
  Collective& collective_;
  int rank_;
  OperationId cause_;
  const char* algorithm_;
  int step_;
  std::vector<Post> posts_;
  std::size_t left_ = 0;
};

} // namespace hypermon::messages
