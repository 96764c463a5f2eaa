// SPDX-License-Identifier: BSD-3-Clause
// Parameters of SCMS/RMS's tree of agents.
#pragma once
#include "base/choice.hpp"
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

} // namespace hypermon
