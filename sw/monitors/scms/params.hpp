// SPDX-License-Identifier: BSD-3-Clause
// Parameters of SCMS/RMS's tree of agents.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class ScmsPartitions : std::uint8_t { even, switches };
constexpr auto words_of(ScmsPartitions) { return words("even", "switches"); }
enum class ScmsInner : std::uint8_t { first_node, root };
constexpr auto words_of(ScmsInner) { return words("first_node", "root"); }
enum class ScmsScope : std::uint8_t { partition, whole };
constexpr auto words_of(ScmsScope) { return words("partition", "whole"); }
enum class ScmsCollect : std::uint8_t { push, pull };
constexpr auto words_of(ScmsCollect) { return words("push", "pull"); }
enum class ScmsNames : std::uint8_t { compact, hierarchical };
constexpr auto words_of(ScmsNames) { return words("compact", "hierarchical"); }

/// Partitions, collection of values, techniques, and all costs.
struct ScmsParams {
  // Tree
  std::int64_t fanout = 16;
  std::string tree;
  ScmsPartitions partitions = ScmsPartitions::even;
  std::int64_t largest_partition = 1024;
  std::string root_node;
  ScmsInner inner_smas = ScmsInner::first_node;
  std::string network;
  // Asynchronous mode
  std::string push = "hardware.load 1";
  ScmsCollect collect = ScmsCollect::push;
  double spread = 0;
  Milliseconds wait_ms = 100;
  Milliseconds pull_offset_ms = 100;
  // Techniques
  ScmsScope scope = ScmsScope::partition;
  bool pipelining = true;
  bool merge_requests = true;
  bool merge_replies = true;
  Bytes part_bytes = 0;
  std::int64_t filter_threshold = -1;
  ScmsNames names = ScmsNames::compact;
  std::int64_t queue_messages = 0;
  // Failures
  std::string failures;
  Seconds heartbeat_s = 10;
  std::int64_t heartbeats_missed = 3;
  Seconds timeout_s = 5;
  // Costs
  Microseconds send_us = 107;
  Microseconds receive_us = 214;
  Nanoseconds byte_ns = 53;
  Nanoseconds merged_byte_ns = 53;
  Microseconds value_us = 50;
  Megabytes memory_mb = 2;
  std::int64_t writes = 1;
  Bytes request_bytes = 32;
  Bytes reply_bytes = 32;
  Bytes id_bytes = 8;
  Bytes value_bytes = 8;
  Bytes oid_bytes = 32;
  Microseconds oid_us = 20;
};

constexpr auto fields_of(const ScmsParams*) {
  using P = ScmsParams;
  return fields(
      Field{"fanout", &P::fanout, range(2, 65536), "agents",
            "Largest number of agents below one partition agent (SMA). The tree gets the fewest levels that suffice, "
            "with partitions of equal size within one node.",
            "chosen: SCMS does not say how large a partition was"},
      Field{"tree", &P::tree, any_value(), "",
            "Tree of agents as a nested list, like [[0-15] [16-31]]: each list is a partition agent (SMA), numbers and "
            "ranges are its nodes. Empty: as scms.partitions and scms.fanout say.",
            "SCMS sec. 2: configured into many forms"},
      Field{"partitions", &P::partitions,
            "Partitions of the nodes, each with its agent (SMA). even: scms.fanout consecutive nodes each. switches: "
            "one for each switch of a fat_tree, regardless of scms.fanout.",
            "SCMS sec. 2: to match the physical sub networks"},
      Field{"largest_partition", &P::largest_partition, range(1, 65536), "agents",
            "Largest number of agents that one partition agent (SMA) can serve. A tree with a larger partition is "
            "refused.",
            "chosen: open connections"},
      Field{"root_node", &P::root_node, any_value(), "",
            "Computer that runs the root agent (root SMA): beside (the first one beside the machine) or a node's "
            "number. Empty: beside, if the network reaches such a computer; otherwise node 0.",
            "chosen"},
      Field{"inner_smas", &P::inner_smas,
            "Computers of the partition agents (SMAs) below the root. first_node: the first node below each. root: the "
            "root's computer.",
            "chosen"},
      Field{"network", &P::network, any_value(), "",
            "Name of the network over which SCMS/RMS's agents communicate. Empty: the first one beside the program's, "
            "if there is any; otherwise the program's.",
            "chosen"},
      Field{"push", &P::push, any_value(), "",
            "Resources that the node agents (CMAs) read by themselves in asynchronous mode, followed by the period in "
            "s (hardware.load 1). Several groups are separated by semicolons. Empty: none.",
            "SCMS sec. 3.1: an adjustable frequency"},
      Field{"collect", &P::collect,
            "Collection of values in asynchronous mode. push: node agents (CMAs) send new values, and partition agents "
            "(SMAs) forward them. pull: CMAs overwrite them in place, and each SMA fetches them from its children.",
            "SCMS sec. 3.1: push; facts (modern): LDMS pulls"},
      Field{"spread", &P::spread, range(0, 1), "",
            "Share of a period over which the nodes' readings are spread, in the order of their numbers. 0: all nodes "
            "read when their own clocks show whole periods.",
            "chosen"},
      Field{"wait_ms", &P::wait_ms, range(0, 1e6),
            "Time for which a partition agent (SMA) waits for children that have not pushed a round, multiplied by the "
            "agent's height in the tree. Then it pushes the values that it has.",
            "chosen"},
      Field{"pull_offset_ms", &P::pull_offset_ms, range(0, 1e6),
            "Time after each whole period at which a partition agent (SMA) fetches values, multiplied by the agent's "
            "height in the tree. It applies with scms.collect = pull.",
            "facts (modern): LDMS's hint + 100 ms"},
      Field{"scope", &P::scope,
            "Nodes that a client can see. partition: those below its partition agent (SMA). whole: all nodes, through "
            "the SMAs above.",
            "SCMS sec. 2: partition; whole costs control messages"},
      Field{"pipelining", &P::pipelining, any_value(), "",
            "Let a partition agent (SMA) have requests to all its children under way at once. Otherwise it sends to "
            "one child at a time.",
            "SCMS sec. 3.3"},
      Field{"merge_requests", &P::merge_requests, any_value(), "",
            "Answer equal requests that a partition agent (SMA) receives with one request to its children. Otherwise "
            "each request is sent down separately.",
            "SCMS sec. 3.4"},
      Field{"merge_replies", &P::merge_replies, any_value(), "",
            "Let a partition agent (SMA) send one message when all its children have answered or pushed. Otherwise it "
            "forwards one message per child.",
            "SCMS sec. 3.4"},
      Field{"part_bytes", &P::part_bytes, range(0, 1e9),
            "Size of gathered values at which a partition agent (SMA) sends them as a part of a merged answer, while "
            "other children have not answered yet. 0: it sends the whole answer when all have answered. It applies "
            "with scms.merge_replies.",
            "SCMS sec. 3.3 and 3.4 (docs/design/scms.md, Pipelined answers); off by default"},
      Field{"filter_threshold", &P::filter_threshold, range(-1, 1LL << 62), "",
            "Largest change since the last push that is too small to push the value again. 0: only equal values are "
            "not pushed. -1: all values are pushed.",
            "SCMS sec. 3.4"},
      Field{"names", &P::names,
            "Names of resources in SCMS/RMS messages. compact: integers; the values of an answer have the order of the "
            "request. hierarchical: every value carries its name, as in SNMP.",
            "SCMS sec. 3.2"},
      Field{"queue_messages", &P::queue_messages, range(0, 1LL << 30), "messages",
            "Largest number of messages with values that wait at a partition agent (SMA); a further one is dropped. 0: "
            "no limit. It cannot be combined with scms.filter_threshold, which relies on delivered values.",
            "chosen; of LDMS's kind"},
      Field{"failures", &P::failures, any_value(), "",
            "Failures, separated by semicolons: time in s, then agent, node or sma with its number, then length in s "
            "(10 agent 3 2). agent is the agent of that node; node is the computer with all its agents; sma is a "
            "partition agent. Empty: none.",
            "chosen"},
      Field{"heartbeat_s", &P::heartbeat_s, range(0, 1e6),
            "Period of the heartbeats between an SCMS/RMS agent and its parent. 0: none, so that a switched-off "
            "computer is not noticed.",
            "chosen"},
      Field{"heartbeats_missed", &P::heartbeats_missed, range(1, 1000), "",
            "Number of missed heartbeats after which an SCMS/RMS agent or its parent regards the other as dead.",
            "chosen"},
      Field{"timeout_s", &P::timeout_s, range(0, 1e6),
            "Time for which a partition agent (SMA) waits for an answer, multiplied by the agent's height in the tree. "
            "Then it reports the missing part as missing. 0: it waits for ever.",
            "chosen"},
      Field{"send_us", &P::send_us, range(0, 1e6), "CPU time of sending one message at an agent or client of SCMS/RMS.",
            "SCMS Table 1: calibrated by 1.5 ms for each further node"},
      Field{"receive_us", &P::receive_us, range(0, 1e6),
            "CPU time of receiving one message at an agent or client of SCMS/RMS.",
            "SCMS Table 1: calibrated by 1.5 ms for each further node"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e6),
            "CPU time of the receiver for each byte of values in a message from a node agent (CMA).",
            "SCMS Table 2: calibrated by 18.53 and 36.35 ms on 8 and 16 nodes"},
      Field{"merged_byte_ns", &P::merged_byte_ns, range(0, 1e6),
            "CPU time of the receiver for each byte of values in a message that a partition agent (SMA) has merged.",
            "SCMS Table 2: calibrated by 18.53 and 36.35 ms on 8 and 16 nodes"},
      Field{"value_us", &P::value_us, range(0, 1e6), "CPU time of the plug-in's function that reads one value.",
            "chosen"},
      Field{
          "memory_mb", &P::memory_mb, range(0, 1e6),
          "Working set of each SCMS/RMS agent on its node, dead or alive. It matters where memory.node_mb is above 0.",
          "chosen; LDMS's samplers take less than 2 MB (facts, modern)"},
      Field{"writes", &P::writes, range(1, 2), "",
            "Number of system calls that write one SCMS/RMS message. 1: header and body together. 2: separately, which "
            "Nagle's algorithm delays.",
            "chosen"},
      Field{"request_bytes", &P::request_bytes, range(1, 65536),
            "Size of the header of an SCMS/RMS message without values. Names and nodes add to it.", "chosen"},
      Field{"reply_bytes", &P::reply_bytes, range(1, 65536),
            "Size of the header of an SCMS/RMS message with values. Names, nodes and values add to it.", "chosen"},
      Field{"id_bytes", &P::id_bytes, range(0, 65536), "Size of a resource's compact name in an SCMS/RMS message.",
            "SCMS sec. 2: a plug-in's 32 bits; its function's 32 are chosen"},
      Field{"value_bytes", &P::value_bytes, range(0, 65536),
            "Size of a value's timestamp in an SCMS/RMS message, apart from the value itself.", "chosen"},
      Field{"oid_bytes", &P::oid_bytes, range(0, 65536),
            "Size of a resource's hierarchical name in an SCMS/RMS message.", "chosen: SNMP's object identifiers"},
      Field{"oid_us", &P::oid_us, range(0, 1e6),
            "CPU time of each hierarchical name, at its sender and at its receiver.", "chosen"});
}
static_assert(all_members_described<ScmsParams>());

} // namespace hypermon
