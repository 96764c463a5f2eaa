// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the machine as a whole: how its nodes are connected, and whose message protocol and costs it has.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"

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

constexpr auto fields_of(const MachineParams*) {
  return fields(
      Field{"topology", &MachineParams::topology,
            "How the nodes are connected. Links have network.bandwidth_mb_per_s and network.short_hop_us.",
            "HYPERMON sec. 2: a hypercube"},
      Field{"dimensions", &MachineParams::dimensions, any_value(), "",
            "torus: nodes in each dimension (4x4x4). fat_tree: children of a switch at each level from the lowest on, "
            "parents at each level, cables to each parent (16x4;1x2;1x1; the last two are 1 if not given). Others: "
            "not used.",
            "chosen"},
      Field{"places", &MachineParams::places, any_value(), "",
            "torus, fat_tree: where the nodes, then neighbours and computers beside, stand in their order, like 4-19; "
            "the other places have computers that nobody uses. Empty: one after the other, and all are taken.",
            "chosen"},
      Field{"xml", &MachineParams::xml, file(), "",
            "topology xml: SimGrid platform file. Ranks go to its hosts in turn, as smpirun places them.", "chosen"},
      Field{"messages", &MachineParams::messages,
            "Message protocol and costs: nx2 is NX/2's, with its events (network.*, os.*); smpi is SimGrid's own "
            "(smpi.*), without the events of NX/2's calls; packets go over the network of section packets "
            "(packet_messages.*, collectives.*), without these events, too.",
            "chosen"},
      Field{"beside", &MachineParams::beside, range(0, 4096), "computers",
            "Computers that stand beside the machine, for monitors, their clients and servers: on every lan.",
            "chosen"},
      Field{"beside_on_network", &MachineParams::beside_on_network, any_value(), "",
            "They are on the program's network too (star, fat_tree, xml), behind all nodes.", "chosen"});
}
static_assert(all_members_described<MachineParams>());

constexpr auto fields_of(const SmpiParams*) {
  constexpr const char* source = "empty: SimGrid's default, or the XML file's";
  using P = SmpiParams;
  return fields(
      Field{"send_cost", &P::send_cost, any_value(), "",
            "CPU time of a send by pieces of message size: from:seconds:seconds_per_byte;... (SMPI's smpi/os).",
            source},
      Field{"isend_cost", &P::isend_cost, any_value(), "", "The same of a non-blocking send (smpi/ois).", source},
      Field{"receive_cost", &P::receive_cost, any_value(), "", "The same of a receive (smpi/or).", source},
      Field{"latency_factor", &P::latency_factor, any_value(), "",
            "Multiplies a route's latency by pieces of message size: from:factor;... (smpi/lat-factor).", source},
      Field{"bandwidth_factor", &P::bandwidth_factor, any_value(), "",
            "Multiplies a route's bandwidth by pieces of message size: from:factor;... (smpi/bw-factor).", source},
      Field{"async_small_thresh", &P::async_small_thresh, any_value(), "",
            "Bytes below which a message leaves at once and is buffered at the receiver (smpi/async-small-thresh).",
            source},
      Field{"send_is_detached_thresh", &P::send_is_detached_thresh, any_value(), "",
            "Bytes below which a send returns before its receive is there (smpi/send-is-detached-thresh).", source},
      Field{"clock_cost", &P::clock_cost, any_value(), "",
            "Seconds that a look at a clock takes: MPI_Wtime, clock_gettime, time and the others (smpi/wtime).",
            source});
}
static_assert(all_members_described<SmpiParams>());

} // namespace hypermon
