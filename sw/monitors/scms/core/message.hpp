// SPDX-License-Identifier: BSD-3-Clause
// What agents and clients say to each other.
#pragma once
#include "sw/monitors/scms/core/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace hypermon::scms {

/// What is known of a value.
enum class State : std::uint8_t {
  ok,
  same,     ///< in a push: as it was when it was sent last, within the filter's threshold
  missing,  ///< its node is not live, or gave no answer in time
  outside,  ///< its node is not below the SMA that the client is attached to (scope: partition)
  unknown,  ///< no plug-in that is loaded there provides it
  failed,   ///< its plug-in crashed, or could not be loaded
  uncached, ///< nobody pushes it, or none has come yet
};

/// One value of a resource of a node, as messages and caches hold it.
struct Value {
  std::int64_t value = 0;
  Time taken;               ///< true time at which the plug-in read it, or read it again and it had not changed
  std::uint64_t ticket = 0; ///< the sample that it is (Surroundings::take); 0: none, or another copy has it
  std::int32_t bytes = 0;   ///< on the wire, without names
  State state = State::missing;
};

/// Values of several nodes, of the same resources each: values[row * resources + place].
struct Rows {
  ResourceVector resources;
  std::vector<NodeId> nodes;
  std::vector<Value> values;

  std::size_t width() const { return resources ? resources->size() : 0; }
  std::span<const Value> row(std::size_t r) const { return {values.data() + r * width(), width()}; }
  std::span<Value> row(std::size_t r) { return {values.data() + r * width(), width()}; }
};

enum class Mode : std::uint8_t { asynchronous, synchronous };
/// What is wanted of the nodes: values; the list of those that are live; that a plug-in (plugin_of(the resource)) be
/// loaded or unloaded: the answer's only value is then ok or failed.
enum class Verb : std::uint8_t { get, live, load, unload };

/// Answered by replies with its id: each of its nodes is in exactly one of them, once.
struct Request {
  std::uint64_t id = 0; ///< the asker's own
  Verb verb = Verb::get;
  Mode mode = Mode::asynchronous;
  NodeSet nodes;
  ResourceVector resources; ///< of live: none
};
struct Reply {
  std::uint64_t id = 0;
  bool is_last = true;    ///< no further one for this request
  bool is_merged = false; ///< by an SMA, which has unpacked its values
  Rows rows;
};

/// The values of a resource group, up the tree. In pull mode the answer to a Pull.
struct Push {
  std::uint32_t group = 0;
  std::uint64_t round = 0; ///< of its youngest values: whole periods since the run's begin
  bool is_merged = false;  ///< by an SMA
  Rows rows;
};
/// From parent to child: what it has of the group, please.
struct Pull {
  std::uint32_t group = 0;
};

/// From child to parent: I am here, with these nodes. A new incarnation remembers nothing of what it was asked before.
struct Join {
  std::uint32_t incarnation = 0;
  NodeSet nodes;
};
/// From child to parent: nodes that are live below it now, and that are no more.
struct Members {
  NodeSet joined;
  NodeSet left;
};
/// Sign of life, from child to parent and back; a child's says how many live nodes it has.
struct Beat {
  std::uint32_t live = 0;
};
/// To a child that was adopted: its own ancestor is back.
struct Back {
  Peer ancestor{};
};
/// To a sender that is taken for dead, or whose nodes are not those that its parent knows: join (again).
struct Rejoin {};

using Message = std::variant<Request, Reply, Push, Pull, Join, Members, Beat, Back, Rejoin>;
using Parcel = std::shared_ptr<const Message>;

/// For statistics.
enum class Kind : std::uint8_t { request, reply, push, pull, control };
constexpr std::size_t kinds = 5;
constexpr Kind kind_of(const Message& message) {
  return message.index() < 4 ? static_cast<Kind>(message.index()) : Kind::control;
}

/// On its way out of an agent or client: first its CPU time passes, then it is streamed.
struct Send {
  Peer to{};
  Parcel message;
  std::int64_t bytes = 0;
  Time cpu;
};
using Outbox = std::vector<Send>;

} // namespace hypermon::scms
