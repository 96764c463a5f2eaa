// The only place that knows which SimGrid this is: 3.32 (Debian 12), 4.0 (Debian 13) or 4.1.
#pragma once
#include <simgrid/s4u.hpp>

#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/version.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// From 4.1 on, zones, hosts and links are added to their parents; before they were created.
#define HYPERMON_SIMGRID_ADDS (SIMGRID_VERSION_MAJOR > 4 || (SIMGRID_VERSION_MAJOR == 4 && SIMGRID_VERSION_MINOR >= 1))

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

inline sg4::Link* add_link(sg4::NetZone* zone, const std::string& name, double bandwidth, double latency) {
#if HYPERMON_SIMGRID_ADDS
  return zone->add_link(name, bandwidth)->set_latency(latency)->seal();
#else
  return zone->create_link(name, bandwidth)->set_latency(latency)->seal();
#endif
}

/// A hypercube of 2^dimension hosts with e-cube routes, lowest differing bit first, one full-duplex link an edge
/// and a loopback at every host. Host `i` of the cube is named name(i).
inline sg4::NetZone* add_hypercube(sg4::NetZone* parent, unsigned dimension, double bandwidth, double latency,
                                   const std::function<std::string(unsigned long)>& name) {
  const std::vector<unsigned long> dims(dimension, 2);
#if HYPERMON_SIMGRID_ADDS
  auto* zone = parent->add_netzone_torus("hypercube", dims, bandwidth, latency, sg4::Link::SharingPolicy::SPLITDUPLEX);
  zone->set_host_cb([name](sg4::NetZone* z, const std::vector<unsigned long>&, unsigned long id) {
    return z->add_host(name(id), 1e9);
  });
  zone->set_loopback_cb([](sg4::NetZone* z, const std::vector<unsigned long>&, unsigned long id) {
    return add_link(z, "loopback" + std::to_string(id), 1e9, 1e-6);
  });
#else
  const sg4::ClusterCallbacks callbacks(
      [name](sg4::NetZone* z, const std::vector<unsigned long>&, unsigned long id) {
        auto* host = z->create_host(name(id), 1e9)->seal();
        return std::make_pair(host->get_netpoint(), static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
      },
      [](sg4::NetZone* z, const std::vector<unsigned long>&, unsigned long id) {
        return add_link(z, "loopback" + std::to_string(id), 1e9, 1e-6);
      },
      {});
  auto* zone = sg4::create_torus_zone("hypercube", parent, dims, callbacks, bandwidth, latency,
                                      sg4::Link::SharingPolicy::SPLITDUPLEX);
#endif
  return zone;
}

/// Calls f(size, start, activity) at the end of every transfer: its bytes, the date in seconds at which it began, and
/// the communication that it belongs to (Comm::get_impl).
template <class F> void on_transfer_end(F f) {
  sg4::Link::on_communication_state_change_cb(
      [f](const simgrid::kernel::resource::NetworkAction& transfer, simgrid::kernel::resource::Action::State) {
        // NetworkAction is declared, not defined, in SimGrid's public headers; Action is its first and only base.
        const auto& action = reinterpret_cast<const simgrid::kernel::resource::Action&>(transfer);
        if (action.get_state() == simgrid::kernel::resource::Action::State::FINISHED)
          f(action.get_cost(), action.get_start_time(), action.get_activity());
      });
}

} // namespace hypermon::simgrid_compat
