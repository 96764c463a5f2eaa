// SPDX-License-Identifier: BSD-3-Clause
// The messages between agents and clients.
#pragma once
#include "sw/monitors/scms/core/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace hypermon::scms {

/// State of a value.
enum class State : std::uint8_t {
  ok,
  same,     ///< in a push: unchanged since it was sent last, within the filter's threshold
  missing,  ///< its node is not live, or did not answer in time
  outside,  ///< its node is not below the client's SMA (scope: partition)
  unknown,  ///< no plug-in that is loaded there provides it
  failed,   ///< its plug-in crashed, or could not be loaded
  uncached, ///< it is not pushed, or none has arrived yet
};

/// One value of a resource of a node, as stored in messages and caches.
struct Value {
  std::int64_t value = 0;
  Time taken;               ///< true time at which it was read, or was last confirmed to be unchanged
  std::uint64_t ticket = 0; ///< ticket of its sample (Surroundings::take); 0: none, or another copy has it
  std::int32_t bytes = 0;   ///< size on the wire, without names
  State state = State::missing;
};

/// Values of several nodes for the same resources: values[row * resources + index of the resource].
struct Rows {
  ResourceVector resources;
  std::vector<NodeId> nodes;
  std::vector<Value> values;

  std::size_t width() const { return resources ? resources->size() : 0; }
  std::span<const Value> row(std::size_t r) const { return {values.data() + r * width(), width()}; }
  std::span<Value> row(std::size_t r) { return {values.data() + r * width(), width()}; }
};

enum class Mode : std::uint8_t { asynchronous, synchronous };
/// Kind of a request: values; the list of live nodes; or loading or unloading a plug-in (plugin_of(the resource)), with
/// ok or failed as the only value of the answer.
enum class Verb : std::uint8_t { get, live, load, unload };

/// Answered by replies with its id: each of its nodes is in exactly one of them.
struct Request {
  std::uint64_t id = 0; ///< chosen by the sender
  Verb verb = Verb::get;
  Mode mode = Mode::asynchronous;
  NodeSet nodes;
  ResourceVector resources; ///< for `live`: none
};
struct Reply {
  std::uint64_t id = 0;
  bool is_last = true;    ///< no further reply follows
  bool is_merged = false; ///< sent by an SMA, which has unpacked the values
  Rows rows;
};

/// Values of a resource group on their way up the tree. In pull mode, the answer to a Pull.
struct Push {
  std::uint32_t group = 0;
  std::uint64_t round = 0; ///< round of its most recent values: number of the period by the node's clock
  bool is_merged = false;  ///< by an SMA
  Rows rows;
};
/// From parent to child: requests the group's values.
struct Pull {
  std::uint32_t group = 0;
};

/// From child to parent: the child joins with these nodes. A new incarnation does not know earlier requests.
struct Join {
  std::uint32_t incarnation = 0;
  NodeSet nodes;
};
/// From child to parent: nodes below it that have become live, and nodes that are no longer live.
struct Members {
  NodeSet joined;
  NodeSet left;
};
/// Heartbeat, from child to parent and back. That of a child has its number of live nodes.
struct Beat {
  std::uint32_t live = 0;
};
/// To an adopted child: its own ancestor is alive again.
struct Back {
  Peer ancestor{};
};
/// To a sender that is taken for dead, or whose nodes differ from those that its parent knows: requests a new join.
struct Rejoin {};

using Message = std::variant<Request, Reply, Push, Pull, Join, Members, Beat, Back, Rejoin>;
using Parcel = std::shared_ptr<const Message>;

/// For statistics.
enum class Kind : std::uint8_t { request, reply, push, pull, control };
constexpr std::size_t kinds = 5;
constexpr Kind kind_of(const Message& message) {
  return message.index() < 4 ? static_cast<Kind>(message.index()) : Kind::control;
}

/// A message to be sent by an agent or client: first its CPU time is spent, then it is sent.
struct Send {
  Peer to{};
  Parcel message;
  std::int64_t bytes = 0;
  Time cpu;
};
using Outbox = std::vector<Send>;

} // namespace hypermon::scms
