// SPDX-License-Identifier: BSD-3-Clause
// The only file that depends on the version of SimGrid: 3.32 (Debian 12), 4.0 (Debian 13) or 4.1.
#pragma once
#include <simgrid/s4u.hpp>

#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/version.h>
#if __has_include(<simgrid/simcall.hpp>)
#include <simgrid/simcall.hpp>
#else
#include <simgrid/simix.hpp>
#endif
#if SIMGRID_VERSION_MAJOR < 4
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#endif
#if __has_include(<simgrid/plugins/file_system.h>)
#include <simgrid/plugins/file_system.h>
#endif

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

// From 4.0 on, zones, hosts and links are added to their parents; before, they were created.
#define HYPERMON_SIMGRID_ADDS (SIMGRID_VERSION_MAJOR >= 4)

namespace hypermon::simgrid_compat {

namespace sg4 = simgrid::s4u;

#if SIMGRID_VERSION_MAJOR >= 4
inline constexpr const char* precision_option = "precision/timing";
#else
inline constexpr const char* precision_option = "surf/precision";
#endif

inline sg4::NetZone* add_full_zone(const std::string& name, sg4::NetZone* parent = nullptr) {
#if HYPERMON_SIMGRID_ADDS
  return (parent != nullptr ? parent : sg4::Engine::get_instance()->get_netzone_root())->add_netzone_full(name);
#else
  auto* zone = sg4::create_full_zone(name);
  if (parent != nullptr) zone->set_parent(parent);
  return zone;
#endif
}

inline sg4::Host* add_host(sg4::NetZone* zone, const std::string& name, double speed) {
#if HYPERMON_SIMGRID_ADDS
  return zone->add_host(name, speed);
#else
  return zone->create_host(name, speed);
#endif
}

/// `each`: every transfer gets the whole bandwidth, however many there are.
inline sg4::Link* add_link(sg4::NetZone* zone, const std::string& name, double bandwidth, double latency,
                           bool each = false) {
#if HYPERMON_SIMGRID_ADDS
  auto* link = zone->add_link(name, bandwidth)->set_latency(latency);
#else
  auto* link = zone->create_link(name, bandwidth)->set_latency(latency);
#endif
  if (each) link->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE);
  return link->seal();
}

/// A link in each direction.
inline sg4::SplitDuplexLink* add_cable(sg4::NetZone* zone, const std::string& name, double bandwidth,
                                       double latency = 0) {
#if HYPERMON_SIMGRID_ADDS
  auto* cable = zone->add_split_duplex_link(name, bandwidth);
#else
  auto* cable = zone->create_split_duplex_link(name, bandwidth);
#endif
  cable->set_latency(latency)->seal();
  return cable;
}

/// Current load of the link in B/s.
inline double load_of(const sg4::Link* link) {
#if SIMGRID_VERSION_MAJOR >= 4 // renamed in 3.34
  return link->get_load();
#else
  return link->get_usage();
#endif
}

/// A zone whose members each have a route to its centre and back.
inline sg4::NetZone* add_star_zone(sg4::NetZone* parent, const std::string& name) {
#if HYPERMON_SIMGRID_ADDS
  return parent->add_netzone_star(name);
#else
  auto* star = sg4::create_star_zone(name);
  star->set_parent(parent);
  return star;
#endif
}

inline simgrid::kernel::routing::NetPoint* add_router(sg4::NetZone* zone, const std::string& name) {
#if HYPERMON_SIMGRID_ADDS
  return zone->add_router(name);
#else
  return zone->create_router(name);
#endif
}

/// An end of a route: a host, a router or a zone. A zone also has the gateway through which it is left and entered.
struct RouteEnd {
  simgrid::kernel::routing::NetPoint* at = nullptr; // null: a star's centre
  simgrid::kernel::routing::NetPoint* gateway = nullptr;
};
inline RouteEnd end_at(const sg4::Host* host) { return {host->get_netpoint(), nullptr}; }
inline RouteEnd end_at(sg4::NetZone* zone, simgrid::kernel::routing::NetPoint* gateway) {
  return {zone->get_netpoint(), gateway};
}
inline RouteEnd end_at(sg4::NetZone* zone, const sg4::Host* gateway) { return end_at(zone, gateway->get_netpoint()); }
inline constexpr RouteEnd centre{};

/// Adds a route and the reverse route. The s4u functions that replace NetZone::add_route of points (3.35) know a single
/// gateway per zone, which must be set before the zone is sealed, and no route from a router to a star's centre. The
/// implementation that they all call has had the same signature since 3.32.
inline void add_route(const sg4::NetZone* zone, RouteEnd from, RouteEnd to,
                      const std::vector<sg4::LinkInRoute>& links) {
  zone->get_impl()->add_route(from.at, to.at, from.gateway, to.gateway, links, true);
}

/// Runs `f` in SimGrid's maestro, called from an actor. Nothing else happens meanwhile.
inline void in_maestro(const std::function<void()>& f) { simgrid::kernel::actor::simcall_answered(f); }

/// Bandwidth (B/s) and latency (s) of every link of a network, in each direction.
struct Cables {
  double bandwidth;
  double latency;
};
/// Maps a number to the name of its host.
using Names = std::function<std::string(unsigned long)>;

/// Begin of the names of loopbacks.
inline constexpr const char* loopback = "loopback";

inline sg4::Link* add_loopback(sg4::NetZone* zone, unsigned long id) {
  return add_link(zone, loopback + std::to_string(id), 1e9, 1e-6);
}

#if HYPERMON_SIMGRID_ADDS
inline sg4::NetZone* with_hosts(sg4::NetZone* zone, const Names& name) {
  zone->set_host_cb([name](sg4::NetZone* z, const std::vector<unsigned long>&, unsigned long id) {
    return z->add_host(name(id), 1e9);
  });
  zone->set_loopback_cb(
      [](sg4::NetZone* z, const std::vector<unsigned long>&, unsigned long id) { return add_loopback(z, id); });
  zone->seal(); // creates the hosts
  return zone;
}
#else
inline sg4::ClusterCallbacks hosts_of(const Names& name) {
  return {[name](sg4::NetZone* z, const std::vector<unsigned long>&, unsigned long id) {
            auto* host = z->create_host(name(id), 1e9)->seal();
            return std::make_pair(host->get_netpoint(), static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
          },
          [](sg4::NetZone* z, const std::vector<unsigned long>&, unsigned long id) { return add_loopback(z, id); },
          {}};
}
#endif

/// A torus of hosts with routes along one dimension after the other, one full-duplex link per edge and a loopback at
/// every host.
inline sg4::NetZone* add_torus(sg4::NetZone* parent, const std::string& zone, const std::vector<unsigned long>& sizes,
                               Cables cables, const Names& name) {
  constexpr auto sharing = sg4::Link::SharingPolicy::SPLITDUPLEX;
#if HYPERMON_SIMGRID_ADDS
  return with_hosts(parent->add_netzone_torus(zone, sizes, cables.bandwidth, cables.latency, sharing), name);
#else
  return sg4::create_torus_zone(zone, parent, sizes, hosts_of(name), cables.bandwidth, cables.latency, sharing);
#endif
}

/// Shape of a fat tree, from the lowest level on: children of a switch, parents, and cables to each parent.
struct Levels {
  std::vector<unsigned> children;
  std::vector<unsigned> parents;
  std::vector<unsigned> cables;
};

/// A fat tree (D-mod-k routes) with the hosts as its leaves, full-duplex cables and a loopback at every host.
inline sg4::NetZone* add_fat_tree(sg4::NetZone* parent, const std::string& zone, const Levels& levels, Cables cables,
                                  const Names& name) {
  constexpr auto sharing = sg4::Link::SharingPolicy::SPLITDUPLEX;
  const auto count = static_cast<unsigned>(levels.children.size());
#if HYPERMON_SIMGRID_ADDS
  return with_hosts(parent->add_netzone_fatTree(zone, count, levels.children, levels.parents, levels.cables,
                                                cables.bandwidth, cables.latency, sharing),
                    name);
#else
  return sg4::create_fatTree_zone(zone, parent, {count, levels.children, levels.parents, levels.cables}, hosts_of(name),
                                  cables.bandwidth, cables.latency, sharing);
#endif
}

/// Hosts around one switch that is never a bottleneck, each with a full-duplex link and a loopback.
inline sg4::NetZone* add_star(sg4::NetZone* parent, const std::string& zone, unsigned long hosts, Cables cables,
                              const Names& name) {
  auto* star = add_star_zone(parent, zone);
  for (unsigned long id = 0; id < hosts; ++id) {
    auto* host = add_host(star, name(id), 1e9)->seal();
    auto* link = add_cable(star, name(id) + "_link", cables.bandwidth, cables.latency);
    add_route(star, end_at(host), centre, {{link, sg4::LinkInRoute::Direction::UP}});
    add_route(star, end_at(host), end_at(host), {sg4::LinkInRoute(add_loopback(star, id))});
  }
  star->seal();
  return star;
}

/// Factor of a transfer's latency or bandwidth, which depends on the bytes, the two hosts and the links.
using TransferFactor =
    std::function<double(double size, const sg4::Host* from, const sg4::Host* to, const std::vector<sg4::Link*>&)>;

/// SimGrid calls the factors once, when a transfer begins.
inline void set_transfer_factors(const TransferFactor& latency, const TransferFactor& bandwidth) {
  const auto without_zones = [](const TransferFactor& factor) {
    return [factor](double size, const sg4::Host* from, const sg4::Host* to, const std::vector<sg4::Link*>& links,
                    const std::unordered_set<sg4::NetZone*>&) { return factor(size, from, to, links); };
  };
  const auto* root = sg4::Engine::get_instance()->get_netzone_root();
#if SIMGRID_VERSION_MAJOR < 4
  root->get_network_model()->set_lat_factor_cb(without_zones(latency));
  root->get_network_model()->set_bw_factor_cb(without_zones(bandwidth));
#else
  root->set_latency_factor_cb(without_zones(latency));
  root->set_bandwidth_factor_cb(without_zones(bandwidth));
#endif
}

/// Calls f(size, start, activity) at the end of every transfer: its bytes, the time in seconds at which it began, and
/// the communication to which it belongs (Comm::get_impl).
template <class F> void on_transfer_end(F f) {
  sg4::Link::on_communication_state_change_cb(
      [f](const simgrid::kernel::resource::NetworkAction& transfer, simgrid::kernel::resource::Action::State) {
        // NetworkAction is declared, not defined, in SimGrid's public headers; Action is its first and only base.
        const auto& action = reinterpret_cast<const simgrid::kernel::resource::Action&>(transfer);
        if (action.get_state() == simgrid::kernel::resource::Action::State::FINISHED)
          f(action.get_cost(), action.get_start_time(), action.get_activity());
      });
}

/// Calls f(size, start, activity, moved) for every transfer under way, in the order in which they began. `moved`: bytes
/// transferred so far; in SimGrid a transfer's latency comes before its first byte. Changes nothing in SimGrid, whereas
/// its own get_remains() would change the rounding of later results.
template <class F> void for_transfers_under_way(F f) {
  auto* root = sg4::Engine::get_instance()->get_netzone_root();
#if SIMGRID_VERSION_MAJOR < 4
  auto* model = dynamic_cast<simgrid::kernel::resource::Model*>(root->get_network_model());
#else // declared, not defined, in SimGrid's public headers; Model is its first and only base
  auto* model = reinterpret_cast<simgrid::kernel::resource::Model*>(root->get_impl()->get_network_model().get());
#endif
  const double now = sg4::Engine::get_clock();
  for (const auto& action : *model->get_started_action_set()) {
    const double remains = action.get_remains_no_update() - action.get_rate() * (now - action.get_last_update());
    const double size = action.get_cost();
    f(size, action.get_start_time(), action.get_activity(), std::clamp(size - remains, 0.0, size));
  }
}

/// Lets disks of platform files that are read afterwards hold files, which MPI-IO needs, as under smpirun.
inline void know_disks() {
#if __has_include(<simgrid/plugins/file_system.h>)
  sg_storage_file_system_init();
#endif
}

} // namespace hypermon::simgrid_compat
