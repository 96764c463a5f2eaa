// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/lan.hpp"
#include "hw/cosim/simgrid_compat.hpp"

#include <algorithm>

namespace hypermon {
namespace sg4 = simgrid::s4u;
namespace {

constexpr double unlimited = 1e15; // B/s

} // namespace

Lan::Lan(sg4::NetZone* root, const std::string& zone, const LanParams& params, std::size_t computers)
    : params_(params),
      fan_out_(params.fan_out == 0 ? std::max<std::size_t>(computers, 1) : static_cast<std::size_t>(params.fan_out)),
      interfaces_(computers) {
  std::size_t below = fan_out_;
  while (below < computers) below *= fan_out_;
  add_switch(root, zone, 0, computers, below);
}

Lan::Switch Lan::add_switch(sg4::NetZone* parent, const std::string& name, std::size_t first, std::size_t count,
                            std::size_t below) {
  using simgrid_compat::centre, simgrid_compat::end_at;
  auto* zone = simgrid_compat::add_star_zone(parent, name);
  const bool limited = params_.backplane_mb_per_s > 0;
  auto* inside = simgrid_compat::add_link(zone, name + "_backplane",
                                          limited ? params_.backplane_mb_per_s * 1e6 : unlimited, 0, !limited);
  // SimGrid finds no route to a point of a zone above, so a switch of switches has its gateway in a zone beside theirs.
  auto* beside = below == fan_out_ ? zone : simgrid_compat::add_full_zone(name + "_gateways", zone);
  auto* gateway = simgrid_compat::add_router(beside, name + "_gateway");
  const auto at = beside == zone ? simgrid_compat::RouteEnd{gateway} : end_at(beside, gateway);
  simgrid_compat::add_route(zone, at, centre, {sg4::LinkInRoute(inside)}); // a route needs a link
  const auto up = [&](sg4::SplitDuplexLink* cable) {
    std::vector<sg4::LinkInRoute> route{{cable, sg4::LinkInRoute::Direction::UP}};
    if (limited) route.emplace_back(inside);
    return route;
  };
  if (below == fan_out_) {
    for (std::size_t i = first; i < first + count; ++i) {
      const std::string own = name + "_" + std::to_string(i);
      interfaces_[i] = simgrid_compat::add_host(zone, own, 1e9);
      interfaces_[i]->seal();
      auto* cable = simgrid_compat::add_cable(zone, own + "_cable", params_.bandwidth_mb_per_s * 1e6);
      simgrid_compat::add_route(zone, end_at(interfaces_[i]), centre, up(cable));
    }
  } else {
    const std::size_t part = below / fan_out_;
    for (std::size_t done = 0; done < count; done += part) {
      const std::string own = name + "_" + std::to_string(done / part);
      const Switch lower = add_switch(zone, own, first + done, std::min(part, count - done), part);
      const double trunk =
          params_.trunk_mb_per_s > 0 ? params_.trunk_mb_per_s : params_.bandwidth_mb_per_s * static_cast<double>(part);
      auto* cable = simgrid_compat::add_cable(zone, own + "_trunk", trunk * 1e6);
      simgrid_compat::add_route(zone, end_at(lower.zone, lower.gateway), centre, up(cable));
    }
  }
  zone->seal();
  return {zone, gateway};
}

Time Lan::latency(std::size_t from, std::size_t to) const {
  Time latency = params_.latency_us;
  for (from /= fan_out_, to /= fan_out_; from != to; from /= fan_out_, to /= fan_out_)
    latency += 2 * params_.switch_us; // one more switch on the way up and one on the way down
  return latency;
}

} // namespace hypermon
