// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the machine as a whole: the connection of its nodes, and the message protocol with its costs.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class Topology { hypercube, torus, fat_tree, star, xml };
constexpr auto words_of(Topology) { return words("hypercube", "torus", "fat_tree", "star", "xml"); }
/// Protocol and costs of messages.
enum class Messages { nx2, smpi, packets };
constexpr auto words_of(Messages) { return words("nx2", "smpi", "packets"); }
/// How messages use a link at the same time.
enum class Links { shared, exclusive };
constexpr auto words_of(Links) { return words("shared", "exclusive"); }

struct MachineParams {
  Topology topology = Topology::hypercube;
  std::string dimensions;
  std::string places;
  std::string xml;
  Messages messages = Messages::nx2;
  std::int64_t beside = 0;
  bool beside_on_network = false;
  std::string hosts;
  Links links = Links::shared;
};

/// SimGrid's own message costs. Empty: SimGrid's default, or the <config> of the XML file.
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
            "Topology that connects the nodes: hypercube, torus, fat_tree or star (one switch for all computers), with "
            "links of network.bandwidth_mb_per_s and network.short_hop_us. xml: as in the platform file machine.xml.",
            "HYPERMON sec. 2: a hypercube"},
      Field{"dimensions", &MachineParams::dimensions, any_value(), "",
            "Size of the topology. torus: nodes in each dimension, like 4x4x4. fat_tree: children of a switch per "
            "level from the lowest on, then parents per level, then cables to each parent (16x4;1x2;1x1). The last two "
            "default to 1. Other topologies ignore it.",
            "chosen"},
      Field{"places", &MachineParams::places, any_value(), "",
            "Places of a torus or fat tree, like 4-19, at which nodes, neighbours and computers beside the machine are "
            "attached in that order. Other places hold idle computers. Empty: the first places, none idle.",
            "chosen"},
      Field{"xml", &MachineParams::xml, file(), "",
            "SimGrid platform file for machine.topology = xml. Nodes are placed on its hosts in turn, as ranks by "
            "smpirun, unless machine.hosts names a host file.",
            "chosen"},
      Field{
          "hosts", &MachineParams::hosts, file(), "",
          "Host file for machine.topology = xml, as for smpirun -hostfile: a host on each line, or host:N for N nodes "
          "on it. Nodes are placed on these hosts in turn. Empty: on all hosts of machine.xml.",
          "chosen: smpirun's format"},
      Field{"messages", &MachineParams::messages,
            "Protocol and costs of MPI messages. nx2: NX/2 with its events (network.*, os.*). smpi: SimGrid's model "
            "(smpi.*), without NX/2's events. packets: the network of section packets (packet_messages.*, "
            "collectives.*), without NX/2's events.",
            "chosen"},
      Field{"beside", &MachineParams::beside, range(0, 4096), "computers",
            "Number of computers beside the machine, which run monitors, their clients and servers. Each is attached "
            "to every LAN.",
            "chosen"},
      Field{"beside_on_network", &MachineParams::beside_on_network, any_value(), "",
            "Attach the computers beside the machine to the program's network too, after all nodes. Possible with "
            "machine.topology = star, fat_tree or xml.",
            "chosen"},
      Field{
          "links", &MachineParams::links,
          "Use of a link of the program's network at the same time. shared: they share its bandwidth. "
          "exclusive, with machine.messages = smpi: a message holds all links of its route from its first byte to "
          "its last, like a circuit or a worm, and others wait. SMPI's cross-traffic of acknowledgements is then off.",
          "chosen: SimGrid's way"});
}
static_assert(all_members_described<MachineParams>());

constexpr auto fields_of(const SmpiParams*) {
  constexpr const char* source = "empty: SimGrid's default, or the XML file's";
  using P = SmpiParams;
  return fields(
      Field{"send_cost", &P::send_cost, any_value(), "",
            "CPU time of a blocking send as a function of message size: from:seconds:seconds_per_byte;... (SMPI's "
            "smpi/os).",
            source},
      Field{"isend_cost", &P::isend_cost, any_value(), "",
            "CPU time of a non-blocking send as a function of message size: from:seconds:seconds_per_byte;... (SMPI's "
            "smpi/ois).",
            source},
      Field{"receive_cost", &P::receive_cost, any_value(), "",
            "CPU time of a receive as a function of message size: from:seconds:seconds_per_byte;... (SMPI's smpi/or).",
            source},
      Field{"latency_factor", &P::latency_factor, any_value(), "",
            "Factor on a route's latency as a function of message size: from:factor;... (SMPI's smpi/lat-factor).",
            source},
      Field{"bandwidth_factor", &P::bandwidth_factor, any_value(), "",
            "Factor on a route's bandwidth as a function of message size: from:factor;... (SMPI's smpi/bw-factor).",
            source},
      Field{"async_small_thresh", &P::async_small_thresh, any_value(), "",
            "Message size in bytes below which a message leaves at once and is buffered at the receiver (SMPI's "
            "smpi/async-small-thresh).",
            source},
      Field{"send_is_detached_thresh", &P::send_is_detached_thresh, any_value(), "",
            "Message size in bytes below which a send returns before the matching receive is posted (SMPI's "
            "smpi/send-is-detached-thresh).",
            source},
      Field{"clock_cost", &P::clock_cost, any_value(), "",
            "Seconds that each read of a clock takes: MPI_Wtime, clock_gettime, time and similar calls (SMPI's "
            "smpi/wtime).",
            source});
}
static_assert(all_members_described<SmpiParams>());

} // namespace hypermon
