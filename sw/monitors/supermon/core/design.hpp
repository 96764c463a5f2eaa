// SPDX-License-Identifier: BSD-3-Clause
// Settings that all of Supermon's processes of a run share.
#pragma once
#include "sw/monitors/supermon/core/tree.hpp"

namespace hypermon::supermon {

struct Costs {
  Time message{};          ///< CPU time of a message at its sender and at its receiver, without its bytes
  double parse_ns = 0;     ///< CPU time of each byte that is parsed
  double print_ns = 0;     ///< CPU time of each byte that is written
  Time kernel{};           ///< CPU time of reading a node's kernel data
  Time monhole{};          ///< CPU time of reading the data that a process has written, without its bytes
  double sink_byte_ns = 0; ///< additional CPU time of each byte of an answer at a client

  Time receiving(std::size_t bytes) const { return message + each(bytes, parse_ns); }
  Time sending(std::size_t bytes) const { return message + each(bytes, print_ns); }
  static Time each(std::size_t bytes, double ns) { return Time::from_ns_rounded(static_cast<double>(bytes) * ns); }
};

struct Design {
  Tree tree;
  Costs costs{};
  Time timeout{};     ///< of a query to mons; at supermons, times their height
  Time retry{};       ///< between two probes of a dead daemon
  bool repair = true; ///< a supermon takes over the daemons below a dead one
};

} // namespace hypermon::supermon
