// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the machine as a whole: how its nodes are connected, and whose message protocol and costs it has.
#pragma once
#include "base/choice.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class Topology { hypercube, torus, fat_tree, star, xml };
constexpr auto words_of(Topology) { return words("hypercube", "torus", "fat_tree", "star", "xml"); }
/// Whose protocol and costs messages have.
enum class Messages { nx2, smpi, packets };
constexpr auto words_of(Messages) { return words("nx2", "smpi", "packets"); }

struct MachineParams {
  Topology topology = Topology::hypercube;
  std::string dimensions;
  std::string places;
  std::string xml;
  Messages messages = Messages::nx2;
  std::int64_t beside = 0;
  bool beside_on_network = false;
};

/// SimGrid's own message costs. Empty: what SimGrid has by default, or what the XML file's <config> says.
struct SmpiParams {
  std::string send_cost;
  std::string isend_cost;
  std::string receive_cost;
  std::string latency_factor;
  std::string bandwidth_factor;
  std::string async_small_thresh;
  std::string send_is_detached_thresh;
  std::string clock_cost;
};

} // namespace hypermon
