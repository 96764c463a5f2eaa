// SPDX-License-Identifier: BSD-3-Clause
// The machine in SimGrid: nodes on a network (topology.hpp), the host on a channel of node 0, a monitor's I/O nodes on
// links of nodes, nodes of other programs, computers and networks beside the machine, and message times. An XML
// platform has neither host nor I/O nodes; a program's host rank runs on the next of its hosts.
#pragma once
#include "hw/machine/lan.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/node_seeds.hpp"
#include "hw/machine/params.hpp"

#include <simgrid/s4u/Comm.hpp>

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hypermon {

/// SimGrid and SMPI options that the machine's message times need. Call this before the Engine is constructed.
std::vector<std::string> engine_options(const Spec& spec);

class Machine {
public:
  /// Builds the platform; the Engine must exist. One SMPI rank per host. `io_nodes`: nodes on whose links a monitor has
  /// an I/O node, in order. `checked_platform`: with topology xml, the file that SimGrid reads (load_platform_file).
  explicit Machine(const Spec& spec, const std::vector<NodeId>& io_nodes = {},
                   const std::string& checked_platform = {});

  simgrid::s4u::Host* node(NodeId n) const { return nodes_[index(n)]; }
  simgrid::s4u::Host* host() const { return host_; }
  /// Whether hosts have a speed in flops, as on an XML platform.
  bool has_speeds() const { return has_speeds_; }
  /// A node of another program (section neighbour).
  simgrid::s4u::Host* neighbour_node(std::size_t program, std::size_t n) const { return neighbours_[program][n]; }
  /// A computer beside the machine.
  simgrid::s4u::Host* beside(std::size_t number) const { return beside_[number]; }
  /// The networks beside the program's, each with an interface for every place, in the order of Places.
  const std::vector<Lan>& lans() const { return lans_; }
  /// Not available on an XML platform.
  simgrid::s4u::Host* io_node(std::size_t number) const { return io_nodes_[number]; }
  const NodeClock& clock(NodeId n) const { return seeds_[index(n)].clock; }
  /// Seeded phase in [0, 1) of a node's tick.
  double tick_phase(NodeId n) const { return seeds_[index(n)].tick_phase; }
  /// Seeded phase in [0, 1) of a node's start.
  double start_phase(NodeId n) const { return seeds_[index(n)].start_phase; }

  bool is_short(std::int64_t bytes) const { return bytes <= network_.short_limit_bytes; }
  /// CPU time of one software step of a message. A short message has two steps, a long one four; together they take
  /// the user-to-user time minus the time on the wire.
  Time message_overhead(std::int64_t bytes) const;
  /// Time of flight of a long message's request or grant, the first two of its three trips.
  Time control_flight(simgrid::s4u::Host* from, simgrid::s4u::Host* to) const;

  /// A transfer of `size` bytes (including SMPI's header) that goes onto the wire now.
  struct Transfer {
    const simgrid::s4u::Host* from;
    const simgrid::s4u::Host* to;
    double size;
    double start;    // seconds
    double expected; // expected end if it does not share any link
  };
  using TransferHandler = std::function<void(const Transfer&)>;
  /// Calls `begins` and `ends` for every transfer of the programs' messages. One listener.
  void watch_transfers(TransferHandler begins, TransferHandler ends);
  /// Calls f(transfer, moved) for each of these transfers under way; `moved`: bytes transferred so far.
  void for_transfers_under_way(const std::function<void(const Transfer&, double moved)>& f) const;
  /// Transfers `bytes` that belong to no message of a program, over the same links as messages between these hosts. The
  /// calling actor sleeps until they have arrived. The time is that of the wire alone, without software and protocol.
  /// `begun` receives SimGrid's handle of the transfer (simgrid_compat::for_transfers_under_way).
  using Carrier = const simgrid::kernel::activity::ActivityImpl*;
  void transfer(simgrid::s4u::Host* from, simgrid::s4u::Host* to, std::int64_t bytes,
                const std::function<void(Carrier)>& begun = {});
  /// Starts a transfer from maestro, without waiting and without the links' latency and (except on an XML platform) the
  /// factors of program messages. Calls `left` in maestro when the last byte has left. Returns SimGrid's handle of the
  /// transfer.
  Carrier start_transfer(simgrid::s4u::Host* from, simgrid::s4u::Host* to, std::int64_t bytes,
                         std::function<void()> left);
  /// Path of start_transfer() between two hosts: the latency, which must be added, and the bandwidth of its narrowest
  /// link.
  struct Way {
    Time latency;
    double bytes_per_s;
  };
  Way way(simgrid::s4u::Host* from, simgrid::s4u::Host* to) const;
  /// Like transfer(), from an I/O node to the host.
  void drain_to_host(std::size_t number, std::int64_t bytes) { transfer(io_node(number), host_, bytes); }
  /// Whether the transfer is under way and belongs to no message of a program.
  bool is_own(const simgrid::kernel::activity::ActivityImpl* transfer) const { return own_.contains(transfer); }
  /// Bytes that SMPI puts before every message (measured).
  static constexpr double smpi_header_bytes = 16;

private:
  void build(const Spec& spec, const std::vector<NodeId>& io_nodes);
  void load(const Spec& spec, const std::string& checked_platform);
  void add_beside(simgrid::s4u::NetZone* root, const Spec& spec);
  void use_nx2_message_times();
  void use_plain_message_times();
  void use_smpi_message_times(const SmpiParams& smpi);
  void connect_host(simgrid::s4u::NetZone* root, simgrid::s4u::NetZone* network, const HostParams& params);
  void attach_io_nodes(simgrid::s4u::NetZone* root, const std::vector<NodeId>& at);
  double latency_factor(double size) const;
  /// Latency factor of one of a long message's three trips, relative to a short message.
  double long_latency_factor() const;
  void transfer_begins(double size, const simgrid::s4u::Host* from, const simgrid::s4u::Host* to,
                       const std::vector<simgrid::s4u::Link*>& links);
  void transfer_ends(double size, double start, const simgrid::kernel::activity::ActivityImpl* activity);
  void watch_started();

  NetworkParams network_;
  std::vector<simgrid::s4u::Host*> nodes_;
  simgrid::s4u::Host* host_ = nullptr;
  bool has_speeds_ = false;
  std::vector<simgrid::s4u::Host*> io_nodes_;
  std::vector<NodeSeeds> seeds_;
  std::vector<std::vector<simgrid::s4u::Host*>> neighbours_;
  std::vector<simgrid::s4u::Host*> beside_;
  std::vector<Lan> lans_;
  std::multimap<std::pair<double, double>, Transfer> on_wire_;             // by start and size; equal ones in order
  std::unordered_set<const simgrid::kernel::activity::ActivityImpl*> own_; // own transfers under way
  bool begins_own_ = false;                                                // an own transfer begins now
  struct Started {
    simgrid::s4u::CommPtr transfer;
    std::function<void()> left;
  };
  std::unordered_map<const simgrid::kernel::activity::ActivityImpl*, Started> started_;
  bool watches_started_ = false;
  bool begins_bare_ = false; // a transfer without latency begins now
  bool has_factors_ = false; // whether the machine has its own factors: without them a transfer keeps its latency
  TransferHandler begins_;
  TransferHandler ends_;
};

} // namespace hypermon
