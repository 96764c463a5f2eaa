// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/graph_file.hpp"
#include "base/listing.hpp"
#include "base/user_error.hpp"
#include "hw/packets/core/rate.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hypermon::piosim {
namespace {

constexpr std::size_t most_edges = 100'000;
constexpr std::size_t longest_line = 1000;

bool skip(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}
bool skip_number(std::string_view& text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end > 0;
}

bool is_computer(std::string_view name) {
  if (name == "host") return true;
  std::string_view rest = name;
  if (skip(rest, "neighbour")) {
    if (!skip_number(rest) || !skip(rest, "_node")) return false;
  } else if (!skip(rest, "node") && !skip(rest, "server")) {
    return false;
  }
  return skip_number(rest) && rest.empty();
}

bool is_name(std::string_view text) {
  return text.size() <= 64 && std::ranges::all_of(text, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
         });
}

bool read_number(std::string_view text, double least, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= least && value <= 1e9;
}

class Reader {
public:
  Reader(const std::string& path, const PacketParams& params, const std::vector<std::string>& stations)
      : path_(path), params_(params) {
    graph_.stations = stations.size();
    for (const std::string& name : stations) vertex(name);
  }

  NetworkGraph read(std::istream& text) {
    for (std::string line; std::getline(text, line);) {
      ++line_;
      if (line.size() > longest_line) refuse("the line is longer than " + std::to_string(longest_line) + " characters");
      line.resize(std::min(line.find('#'), line.size()));
      std::istringstream words(line);
      std::vector<std::string> found;
      for (std::string word; words >> word;) found.push_back(word);
      if (!found.empty()) add_edge(found);
    }
    check_stations();
    graph_.routes = shortest_routes(graph_);
    return std::move(graph_);
  }

private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw UserError("packets.graph = " + path_ + ": " + why + " (" + path_ + ", line " + std::to_string(line_) + ")");
  }

  std::uint32_t vertex(const std::string& name) {
    const auto [found, is_new] = vertices_.try_emplace(name, 0);
    if (is_new) found->second = graph_.add(name, !is_computer(name));
    return found->second;
  }

  void add_edge(const std::vector<std::string>& words) {
    if (words.size() < 2 || words.size() > 4)
      refuse("must be two ends and, if they differ from packets.edge_*, MiB/s and us, like \"node0 switch0 670 10\"");
    for (std::size_t i = 0; i < 2; ++i)
      if (!is_name(words[i]))
        refuse("\"" + words[i] + "\" must be a name of at most 64 letters, digits, and the characters _ . -");
    if (words[0] == words[1]) refuse(words[0] + " is connected with itself");
    const std::uint32_t first = vertex(words[0]);
    const std::uint32_t second = vertex(words[1]);
    if (!connected_.insert(std::minmax(first, second)).second)
      refuse("the edge between " + words[0] + " and " + words[1] + " is there twice");
    if (graph_.edges.size() == most_edges) refuse("the network has more than " + std::to_string(most_edges) + " edges");
    const bool is_uplink = graph_.vertices[first].is_switch && graph_.vertices[second].is_switch;
    double mib_per_s = is_uplink && params_.uplink_mib_per_s > 0 ? params_.uplink_mib_per_s : params_.edge_mib_per_s;
    Microseconds latency = is_uplink ? params_.uplink_latency_us : params_.edge_latency_us;
    if (words.size() > 2 && !read_number(words[2], 0.001, mib_per_s))
      refuse("\"" + words[2] + "\" must be a number of MiB/s from 0.001 to 1e9");
    if (words.size() > 3 && !read_number(words[3], 0, latency.number))
      refuse("\"" + words[3] + "\" must be a number of us from 0 to 1e9");
    graph_.connect(first, second, mib_per_s, whole_ns(latency));
  }

  /// Names of stations, limited to what fits on a line.
  std::string names_of(const std::vector<std::uint32_t>& stations) const {
    constexpr std::size_t shown = 8;
    std::string all;
    for (std::size_t i = 0; i < std::min(stations.size(), shown); ++i)
      add_to_list(all, graph_.vertices[stations[i]].name);
    return all + (stations.size() > shown ? ", ... (" + std::to_string(stations.size()) + " in all)" : "");
  }

  void check_stations() const {
    std::vector<bool> has_edge(graph_.vertices.size());
    for (const Edge& edge : graph_.edges) has_edge[edge.first] = has_edge[edge.second] = true;
    std::vector<std::uint32_t> without;
    for (std::uint32_t s = 0; s < graph_.stations; ++s)
      if (!has_edge[s]) without.push_back(s);
    const std::string begin = "packets.graph = " + path_ + ": ";
    if (!without.empty() && graph_.stations > 1)
      throw UserError(begin + "must have an edge at each computer of the run; it has none at " + names_of(without));
    if (const auto lost = unreached(graph_); !lost.empty())
      throw UserError(begin + "must connect all computers of the run; it has no way from " + graph_.vertices[0].name +
                      " to " + names_of(lost));
  }

  std::string path_;
  const PacketParams& params_;
  NetworkGraph graph_;
  std::unordered_map<std::string, std::uint32_t> vertices_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> connected_;
  std::int64_t line_ = 0;
};

} // namespace

NetworkGraph read_graph(std::istream& text, const std::string& path, const PacketParams& params,
                        const std::vector<std::string>& stations) {
  return Reader(path, params, stations).read(text);
}

} // namespace hypermon::piosim
