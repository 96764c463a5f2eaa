// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/graph.hpp"
#include "base/quantity.hpp"
#include "base/user_error.hpp"
#include "hw/packets/core/rate.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace hypermon::piosim {
namespace {

constexpr std::uint32_t never_reached = ~0U;

/// Ports of every vertex, in the order of the graph's edges.
std::vector<std::vector<Port>> ports_of(const NetworkGraph& graph) {
  std::vector<std::vector<Port>> ports(graph.vertices.size());
  for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
    ports[graph.edges[e].first].push_back(port(e, false));
    ports[graph.edges[e].second].push_back(port(e, true));
  }
  return ports;
}

/// Number of edges between each vertex and the target.
std::vector<std::uint32_t> distances(const NetworkGraph& graph, const std::vector<std::vector<Port>>& ports,
                                     std::uint32_t target) {
  std::vector<std::uint32_t> found(graph.vertices.size(), never_reached);
  std::vector<std::uint32_t> reached{target};
  found[target] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const Port out : ports[reached[i]])
      if (const std::uint32_t other = graph.end_of(out); found[other] == never_reached) {
        found[other] = found[reached[i]] + 1;
        reached.push_back(other);
      }
  return found;
}

class ShortestRoutes : public Routes {
public:
  explicit ShortestRoutes(NetworkGraph graph) : graph_(std::move(graph)), ports_(ports_of(graph_)) {}

  Port next(std::uint32_t vertex, std::uint32_t target) const override {
    const auto [found, is_new] = ways_.try_emplace(target);
    if (is_new) found->second = distances(graph_, ports_, target);
    const std::vector<std::uint32_t>& far = found->second;
    return *std::ranges::find_if(ports_[vertex], [&](Port out) { return far[graph_.end_of(out)] + 1 == far[vertex]; });
  }

private:
  NetworkGraph graph_;
  std::vector<std::vector<Port>> ports_;
  mutable std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> ways_; // distances, by target
};

std::optional<double> milliseconds(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1e9)) return std::nullopt;
  return value;
}

} // namespace

std::uint32_t NetworkGraph::add(std::string name, bool is_switch) {
  vertices.push_back({std::move(name), is_switch});
  return static_cast<std::uint32_t>(vertices.size() - 1);
}

std::uint32_t NetworkGraph::connect(std::uint32_t first, std::uint32_t second, double mib_per_s, Time latency) {
  edges.push_back({first, second, mib_per_s, latency});
  return static_cast<std::uint32_t>(edges.size() - 1);
}

std::shared_ptr<const Routes> shortest_routes(const NetworkGraph& graph) {
  NetworkGraph own = graph;
  own.routes = nullptr;
  return std::make_shared<ShortestRoutes>(std::move(own));
}

std::vector<std::uint32_t> unreached(const NetworkGraph& graph) {
  std::vector<std::uint32_t> found;
  const auto far = distances(graph, ports_of(graph), 0);
  for (std::uint32_t s = 0; s < graph.stations; ++s)
    if (far[s] == never_reached) found.push_back(s);
  return found;
}

std::vector<Outage> outages_of(std::string_view text, const NetworkGraph& graph) {
  std::map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t v = 0; v < graph.vertices.size(); ++v) numbers.emplace(graph.vertices[v].name, v);
  const auto refuse = [&](const std::string& why) {
    throw UserError("packets.outages = \"" + std::string(text) + "\": " + why);
  };
  std::vector<Outage> found;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::string_view all = word;
    const auto slash = all.find('/');
    const auto colon = all.rfind(':');
    const auto dash = colon == std::string_view::npos ? colon : all.find('-', colon);
    if (slash == std::string_view::npos || dash == std::string_view::npos || slash > colon)
      refuse("must be words like node0/switch0:10-25 (an edge, and from when until when in milliseconds)");
    const auto from = milliseconds(all.substr(colon + 1, dash - colon - 1));
    const auto until = milliseconds(all.substr(dash + 1));
    if (!from || !until || *from >= *until)
      refuse(word + ": must end with two times in milliseconds, from 0 to 1e9, the earlier one first");
    const auto first = numbers.find(all.substr(0, slash));
    const auto second = numbers.find(all.substr(slash + 1, colon - slash - 1));
    const auto edge = std::ranges::find_if(graph.edges, [&](const Edge& e) {
      return first != numbers.end() && second != numbers.end() &&
             (std::pair(e.first, e.second) == std::pair(first->second, second->second) ||
              std::pair(e.second, e.first) == std::pair(first->second, second->second));
    });
    if (edge == graph.edges.end()) refuse(word + ": the network has no such edge");
    found.push_back({static_cast<std::uint32_t>(edge - graph.edges.begin()), whole_ns(Milliseconds(*from)),
                     whole_ns(Milliseconds(*until))});
  }
  return found;
}

} // namespace hypermon::piosim
