// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/topologies.hpp"
#include "hw/packets/core/rate.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hypermon::piosim {
namespace {

/// Properties of an edge at a computer or between switches.
struct Cable {
  double mib_per_s;
  Time latency;
};
Cable edge_cable(const PacketParams& p) { return {p.edge_mib_per_s, whole_ns(p.edge_latency_us)}; }
Cable uplink_cable(const PacketParams& p) {
  return {p.uplink_mib_per_s > 0 ? p.uplink_mib_per_s : p.edge_mib_per_s, whole_ns(p.uplink_latency_us)};
}

void add_stations(NetworkGraph& graph, const std::vector<StationAt>& stations) {
  graph.stations = stations.size();
  for (const StationAt& station : stations) graph.add(station.name, false);
}

/// A switch of a tree is identified by its level (1 is the lowest), by the subtree of places below it, and by its
/// number among the switches above the same subtree. That number has a digit for each level below: the chosen parent.
class TreeRoutes : public Routes {
public:
  TreeRoutes(TreeShape shape, const std::vector<StationAt>& stations) : shape_(std::move(shape)) {
    for (const StationAt& station : stations) place_.push_back(station.place);
    std::uint32_t places = 1;
    for (const unsigned size : shape_.children) places *= size;
    std::uint32_t below = 1;
    std::uint32_t above = 1;
    first_.push_back(0);
    std::uint32_t vertices = static_cast<std::uint32_t>(stations.size());
    for (std::size_t level = 0; level <= levels(); ++level) {
      places_below_.push_back(below);
      switches_above_.push_back(above);
      if (level > 0) {
        first_.push_back(vertices);
        vertices += places / below * above;
      }
      if (level == levels()) break;
      below *= shape_.children[level];
      above *= shape_.parents[level];
    }
    first_.push_back(vertices);
  }

  std::size_t levels() const { return shape_.children.size(); }
  /// Switches of a level have consecutive numbers from first() on.
  std::uint32_t first(std::size_t level) const { return first_[level]; }
  std::uint32_t count(std::size_t level) const { return first_[level + 1] - first_[level]; }
  /// A parent of a station or switch, by its number.
  std::uint32_t parent(std::uint32_t vertex, unsigned number) const {
    const Where at = where(vertex);
    return first_[at.level + 1] + at.subtree / shape_.children[at.level] * switches_above_[at.level + 1] + at.number +
           number * switches_above_[at.level];
  }
  /// The vertex's upward edges begin with `edge`; those to the first parent come first.
  void set_first_edge(std::uint32_t vertex, std::uint32_t edge) {
    if (edges_.size() <= vertex) edges_.resize(vertex + 1);
    edges_[vertex] = edge;
  }

  Port next(std::uint32_t vertex, std::uint32_t target) const override {
    const Where at = where(vertex);
    const std::uint32_t place = place_[target];
    if (at.level == 0 || place / places_below_[at.level] != at.subtree)
      return port(edge_up(vertex, at.level, place / switches_above_[at.level] % shape_.parents[at.level], place),
                  false);
    const std::size_t below = at.level - 1;
    const std::uint32_t chosen = at.number / switches_above_[below];
    if (below == 0) return port(edge_up(target, 0, chosen, place), true);
    const std::uint32_t child =
        first_[below] + place / places_below_[below] * switches_above_[below] + at.number % switches_above_[below];
    return port(edge_up(child, below, chosen, place), true);
  }

private:
  struct Where {
    std::size_t level;
    std::uint32_t subtree;
    std::uint32_t number;
  };
  Where where(std::uint32_t vertex) const {
    if (vertex < place_.size()) return {0, place_[vertex], 0};
    std::size_t level = 1;
    while (vertex >= first_[level + 1]) ++level;
    const std::uint32_t number = vertex - first_[level];
    return {level, number / switches_above_[level], number % switches_above_[level]};
  }
  std::uint32_t edge_up(std::uint32_t vertex, std::size_t level, std::uint32_t parent, std::uint32_t place) const {
    const unsigned cables = shape_.cables[level];
    const std::uint32_t cable = place / switches_above_[level] / shape_.parents[level] % cables;
    return edges_[vertex] + parent * cables + cable;
  }

  TreeShape shape_;
  std::vector<std::uint32_t> place_;          // place of each station
  std::vector<std::uint32_t> places_below_;   // places below a vertex of each level
  std::vector<std::uint32_t> switches_above_; // switches above the same places, by level
  std::vector<std::uint32_t> first_;          // first vertex of each level
  std::vector<std::uint32_t> edges_;          // first upward edge of each vertex
};

void connect_upward(NetworkGraph& graph, TreeRoutes& routes, const TreeShape& shape, std::size_t level,
                    std::uint32_t vertex, const Cable& cable) {
  routes.set_first_edge(vertex, static_cast<std::uint32_t>(graph.edges.size()));
  for (unsigned k = 0; k < shape.parents[level]; ++k)
    for (unsigned c = 0; c < shape.cables[level]; ++c)
      graph.connect(vertex, routes.parent(vertex, k), cable.mib_per_s, cable.latency);
}

/// Routes along one dimension after the other. Coordinates change fastest in the first dimension.
class LatticeRoutes : public Routes {
public:
  LatticeRoutes(std::vector<unsigned> sizes, const std::vector<StationAt>& stations) : sizes_(std::move(sizes)) {
    for (const unsigned size : sizes_) places_ *= size;
    vertex_at_.resize(places_, none);
    for (const StationAt& station : stations) {
      if (!station.is_extra) vertex_at_[station.place] = static_cast<std::uint32_t>(place_.size());
      place_.push_back(station.place);
      own_edge_.push_back(none);
    }
    edges_.resize(places_ * sizes_.size(), none);
  }

  /// Adds unused computers at the other places, and the edges between all computers.
  void build(NetworkGraph& graph, const std::vector<StationAt>& stations, const Cable& cable) {
    for (std::uint32_t p = 0; p < places_; ++p)
      if (vertex_at_[p] == none) {
        vertex_at_[p] = graph.add("place" + std::to_string(p), false);
        place_.push_back(p);
        own_edge_.push_back(none);
      }
    for (std::uint32_t p = 0; p < places_; ++p)
      for (std::size_t d = 0; d < sizes_.size(); ++d)
        if (sizes_[d] > 2 || (sizes_[d] == 2 && coordinate(p, d) == 0))
          edges_[p * sizes_.size() + d] =
              graph.connect(vertex_at_[p], vertex_at_[up(p, d)], cable.mib_per_s, cable.latency);
    for (std::uint32_t s = 0; s < stations.size(); ++s)
      if (stations[s].is_extra)
        own_edge_[s] = graph.connect(s, vertex_at_[stations[s].place], cable.mib_per_s, cable.latency);
  }

  Port next(std::uint32_t vertex, std::uint32_t target) const override {
    if (own_edge_[vertex] != none) return port(own_edge_[vertex], false);
    const std::uint32_t here = place_[vertex];
    const std::uint32_t there = place_[target];
    for (std::size_t d = 0; d < sizes_.size(); ++d) {
      const unsigned from = coordinate(here, d);
      const unsigned to = coordinate(there, d);
      if (from == to) continue;
      if (goes_up(from, to, sizes_[d])) return port(edges_[here * sizes_.size() + d], false);
      return port(edges_[down(here, d) * sizes_.size() + d], true);
    }
    return port(own_edge_[target], true);
  }

private:
  static constexpr std::uint32_t none = ~0U;

  static bool goes_up(unsigned from, unsigned to, unsigned size) {
    const unsigned half = size / 2;
    return (to > from && to <= from + half) || (from > half && (from + half) % size >= to);
  }
  std::uint32_t stride(std::size_t dimension) const {
    std::uint32_t found = 1;
    for (std::size_t d = 0; d < dimension; ++d) found *= sizes_[d];
    return found;
  }
  unsigned coordinate(std::uint32_t place, std::size_t d) const { return place / stride(d) % sizes_[d]; }
  std::uint32_t up(std::uint32_t place, std::size_t d) const {
    return coordinate(place, d) + 1 == sizes_[d] ? place - stride(d) * (sizes_[d] - 1) : place + stride(d);
  }
  std::uint32_t down(std::uint32_t place, std::size_t d) const {
    return coordinate(place, d) == 0 ? place + stride(d) * (sizes_[d] - 1) : place - stride(d);
  }

  std::vector<unsigned> sizes_;
  std::uint32_t places_ = 1;
  std::vector<std::uint32_t> vertex_at_; // vertex at each place
  std::vector<std::uint32_t> place_;     // place of each vertex
  std::vector<std::uint32_t> own_edge_;  // edge of each vertex that is an extra station
  std::vector<std::uint32_t> edges_;     // edges to higher coordinates, by place and dimension
};

} // namespace

NetworkGraph tree_graph(const PacketParams& params, const TreeShape& shape, const std::vector<StationAt>& stations) {
  NetworkGraph graph;
  add_stations(graph, stations);
  const auto routes = std::make_shared<TreeRoutes>(shape, stations);
  const std::size_t levels = routes->levels();
  for (std::size_t level = 1; level <= levels; ++level)
    for (std::uint32_t s = 0; s < routes->count(level); ++s)
      graph.add("switch" + (levels > 1 ? std::to_string(level) + "_" : "") + std::to_string(s), true);
  for (std::uint32_t s = 0; s < stations.size(); ++s) connect_upward(graph, *routes, shape, 0, s, edge_cable(params));
  for (std::size_t level = 1; level < levels; ++level)
    for (std::uint32_t s = 0; s < routes->count(level); ++s)
      connect_upward(graph, *routes, shape, level, routes->first(level) + s, uplink_cable(params));
  graph.routes = routes;
  return graph;
}

NetworkGraph star_graph(const PacketParams& params, const std::vector<std::string>& names) {
  std::vector<StationAt> stations;
  for (const std::string& name : names) stations.push_back({name, static_cast<std::uint32_t>(stations.size())});
  const auto all = static_cast<unsigned>(std::max<std::size_t>(names.size(), 1));
  const auto fan_out = static_cast<unsigned>(params.fan_out);
  if (fan_out == 0 || fan_out >= all) return tree_graph(params, {{all}, {1}, {1}}, stations);
  return tree_graph(params, {{fan_out, (all + fan_out - 1) / fan_out}, {1, 1}, {1, 1}}, stations);
}

NetworkGraph lattice_graph(const PacketParams& params, const std::vector<unsigned>& sizes,
                           const std::vector<StationAt>& stations) {
  NetworkGraph graph;
  add_stations(graph, stations);
  const auto routes = std::make_shared<LatticeRoutes>(sizes, stations);
  routes->build(graph, stations, edge_cable(params));
  graph.routes = routes;
  return graph;
}

} // namespace hypermon::piosim
