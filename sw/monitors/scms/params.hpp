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

/// Who is in which partition, what is collected when, which techniques are used, what it all costs.
struct ScmsParams {
  // the tree
  std::int64_t fanout = 16;
  std::string tree;
  ScmsPartitions partitions = ScmsPartitions::even;
  std::int64_t largest_partition = 1024;
  std::string root_node;
  ScmsInner inner_smas = ScmsInner::first_node;
  std::string network;
  // asynchronous mode
  std::string push = "hardware.load 1";
  ScmsCollect collect = ScmsCollect::push;
  double spread = 0;
  Milliseconds wait_ms = 100;
  Milliseconds pull_offset_ms = 100;
  // techniques
  ScmsScope scope = ScmsScope::partition;
  bool pipelining = true;
  bool merge_requests = true;
  bool merge_replies = true;
  std::int64_t filter_threshold = -1;
  ScmsNames names = ScmsNames::compact;
  std::int64_t queue_messages = 0;
  // death
  std::string failures;
  Seconds heartbeat_s = 10;
  std::int64_t heartbeats_missed = 3;
  Seconds timeout_s = 5;
  // costs
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
            "That an SMA may have below it; levels are as many as it takes, as even as they can be.",
            "chosen: SCMS does not say how large a partition was"},
      Field{"tree", &P::tree, any_value(), "",
            "The tree as a nested list, like [[0-15] [16-31]]: a list is an SMA, numbers and ranges are its nodes. "
            "Empty: as scms.partitions and scms.fanout say.",
            "SCMS sec. 2: configured into many forms"},
      Field{"partitions", &P::partitions,
            "even: consecutive nodes, scms.fanout at a time. switches: an SMA for each switch of a fat_tree, whatever "
            "scms.fanout.",
            "SCMS sec. 2: to match the physical sub networks"},
      Field{"largest_partition", &P::largest_partition, range(1, 65536), "agents",
            "That an SMA can have at most; a tree with a larger partition is refused.", "chosen: open connections"},
      Field{"root_node", &P::root_node, any_value(), "",
            "Where the root SMA runs: beside, the first computer beside the machine, or a node's number; empty: beside "
            "if the network reaches one there, else node 0.",
            "chosen"},
      Field{"inner_smas", &P::inner_smas,
            "Where the other SMAs run. first_node: on the first node below each. root: all where the root runs.",
            "chosen"},
      Field{"network", &P::network, any_value(), "",
            "That agents talk over; empty: the first one beside the program's, or the program's if there is no other.",
            "chosen"},
      Field{"push", &P::push, any_value(), "",
            "Asynchronous mode: what CMAs read by themselves and how often: resources, then the period in s, like "
            "hardware.load 1; several groups with ; between. Empty: nothing.",
            "SCMS sec. 3.1: an adjustable frequency"},
      Field{"collect", &P::collect,
            "push: CMAs send what they have read, SMAs send it on. pull: CMAs overwrite it in place, and each SMA "
            "fetches it from its children at its own dates.",
            "SCMS sec. 3.1: push; facts (modern): LDMS pulls"},
      Field{"spread", &P::spread, range(0, 1), "",
            "The share of a period over which the nodes' readings are spread, by their number; 0: all at once.",
            "chosen"},
      Field{
          "wait_ms", &P::wait_ms, range(0, 1e6),
          "How long an SMA waits for those children that have not pushed a round, times its height; then it pushes on "
          "what it has.",
          "chosen"},
      Field{"pull_offset_ms", &P::pull_offset_ms, range(0, 1e6),
            "collect = pull: an SMA fetches so long after whole periods, times its height.",
            "facts (modern): LDMS's hint + 100 ms"},
      Field{"scope", &P::scope,
            "What a client sees. partition: what is below the SMA that it is attached to. whole: everything, through "
            "SMAs above.",
            "SCMS sec. 2: partition; whole costs control messages"},
      Field{"pipelining", &P::pipelining, any_value(), "",
            "An SMA has requests to all its children under way; else to one at a time.", "SCMS sec. 3.3"},
      Field{"merge_requests", &P::merge_requests, any_value(), "",
            "Who asks for what an SMA is already asking for gets the same answer; else each is asked for.",
            "SCMS sec. 3.4"},
      Field{"merge_replies", &P::merge_replies, any_value(), "",
            "An SMA sends one message when all its children have answered or pushed; else one for each of theirs.",
            "SCMS sec. 3.4"},
      Field{"filter_threshold", &P::filter_threshold, range(-1, 1LL << 62), "",
            "Values that changed by no more since they were pushed are not pushed again, 0: equal ones; -1: all are.",
            "SCMS sec. 3.4"},
      Field{"names", &P::names,
            "Of resources. compact: integers, and answers have their values in the order of the request. hierarchical: "
            "every value carries its name, as SNMP's do.",
            "SCMS sec. 3.2"},
      Field{"queue_messages", &P::queue_messages, range(0, 1LL << 30), "messages",
            "With values that wait at an SMA at most: a further one is dropped. 0: no limit. Not with a filter, which "
            "counts on what was sent.",
            "chosen; of LDMS's kind"},
      Field{
          "failures", &P::failures, any_value(), "",
          "Who dies when for how long: date in s, then agent, node or sma with its number, then s, like 10 agent 3 2; "
          "several with ; between. agent: the CMA of that node. node: the computer, with all its agents. Empty: none.",
          "chosen"},
      Field{
          "heartbeat_s", &P::heartbeat_s, range(0, 1e6),
          "Between signs of life that an agent and its parent give each other; 0: none, and a computer that is off is "
          "not noticed.",
          "chosen"},
      Field{"heartbeats_missed", &P::heartbeats_missed, range(1, 1000), "",
            "So many without a word, and the other is taken for dead.", "chosen"},
      Field{"timeout_s", &P::timeout_s, range(0, 1e6),
            "For an answer, times the asking SMA's height: what has not come is then answered as missing; 0: never.",
            "chosen"},
      Field{"send_us", &P::send_us, range(0, 1e6), "CPU time of a message at the agent or client that sends it.",
            "SCMS Table 1: calibrated by 1.5 ms for each further node"},
      Field{"receive_us", &P::receive_us, range(0, 1e6), "CPU time of a message at who receives it.",
            "SCMS Table 1: calibrated by 1.5 ms for each further node"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e6),
            "CPU time of each byte of values in a CMA's message, at who receives it.",
            "SCMS Table 2: calibrated by 18.53 and 36.35 ms on 8 and 16 nodes"},
      Field{"merged_byte_ns", &P::merged_byte_ns, range(0, 1e6), "The same of a message that an SMA has merged.",
            "SCMS Table 2: calibrated by 18.53 and 36.35 ms on 8 and 16 nodes"},
      Field{"value_us", &P::value_us, range(0, 1e6), "CPU time of a plug-in's function that reads a value.", "chosen"},
      Field{"memory_mb", &P::memory_mb, range(0, 1e6),
            "Working set of each agent on its node, dead or alive; it counts where memory.node_mb is given.",
            "chosen; LDMS's samplers take less than 2 MB (facts, modern)"},
      Field{"writes", &P::writes, range(1, 2), "",
            "System calls that a message is written in: header and body apart (2), which Nagle's algorithm notices, or "
            "together.",
            "chosen"},
      Field{"request_bytes", &P::request_bytes, range(1, 65536),
            "Of a message without values, besides names and nodes.", "chosen"},
      Field{"reply_bytes", &P::reply_bytes, range(1, 65536), "Of a message with values, besides these.", "chosen"},
      Field{"id_bytes", &P::id_bytes, range(0, 65536), "Of a resource's compact name.",
            "SCMS sec. 2: a plug-in's 32 bits; its function's 32 are chosen"},
      Field{"value_bytes", &P::value_bytes, range(0, 65536), "Of each value, besides its own: its time.", "chosen"},
      Field{"oid_bytes", &P::oid_bytes, range(0, 65536), "Of a resource's hierarchical name.",
            "chosen: SNMP's object identifiers"},
      Field{"oid_us", &P::oid_us, range(0, 1e6),
            "CPU time of each hierarchical name, at who sends and at who receives it.", "chosen"});
}
static_assert(all_members_described<ScmsParams>());

} // namespace hypermon
