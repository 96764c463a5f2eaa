// SPDX-License-Identifier: BSD-3-Clause
// What all of Supermon's processes of a run share.
#pragma once
#include "sw/monitors/supermon/core/tree.hpp"

namespace hypermon::supermon {

struct Costs {
  Time message{};          ///< CPU of a message besides its bytes, at its sender and at its receiver
  double parse_ns = 0;     ///< CPU of each byte that is parsed
  double print_ns = 0;     ///< CPU of each byte that is written
  Time kernel{};           ///< CPU of reading the kernel's data of a node
  Time monhole{};          ///< CPU of taking what a process has written, besides its bytes
  double sink_byte_ns = 0; ///< CPU of each byte of an answer at a client, in addition

  Time receiving(std::size_t bytes) const { return message + each(bytes, parse_ns); }
  Time sending(std::size_t bytes) const { return message + each(bytes, print_ns); }
  static Time each(std::size_t bytes, double ns) { return Time::from_ns_rounded(static_cast<double>(bytes) * ns); }
};

struct Design {
  Tree tree;
  Costs costs{};
  Time timeout{};     ///< of a query to mons; above, times the supermon's height
  Time retry{};       ///< between two looks whether a dead daemon is back
  bool repair = true; ///< a supermon takes over what was below a dead one
};

} // namespace hypermon::supermon
