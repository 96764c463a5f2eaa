// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/dimensions.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/machine_params.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <sstream>

namespace hypermon {
namespace {

constexpr unsigned largest = 4096; // no dimension of a machine with the largest number of nodes is larger

/// Parses a text such as 4x4x4.
std::optional<std::vector<unsigned>> numbers(const std::string& text) {
  std::vector<unsigned> found;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, 'x');) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 1 || value > largest) return std::nullopt;
    found.push_back(value);
  }
  if (found.empty() || text.ends_with('x')) return std::nullopt;
  return found;
}

} // namespace

Dimensions dimensions_of(const Spec& spec) {
  const auto& machine = spec.get<MachineParams>();
  const bool tree = machine.topology == Topology::fat_tree;
  const std::string given = "machine.dimensions = \"" + machine.dimensions + "\": ";
  std::vector<std::vector<unsigned>> parts;
  std::istringstream texts(machine.dimensions);
  bool right = !machine.dimensions.ends_with(';');
  for (std::string text; right && std::getline(texts, text, ';');) {
    const auto part = numbers(text);
    right = part && (parts.empty() || part->size() == parts[0].size());
    if (right) parts.push_back(*part);
  }
  if (!right || parts.empty() || parts.size() > (tree ? 3 : 1))
    throw UserError(given + "must be " +
                    (tree ? "like 16x4 or 16x4;1x2;1x1 (children, parents, cables at each level of the fat_tree)"
                          : "like 4x4x4 (nodes in each dimension of the torus)"));
  const auto product =
      std::accumulate(parts[0].begin(), parts[0].end(), std::int64_t{1},
                      [](std::int64_t p, unsigned size) { return std::min<std::int64_t>(p * size, 1 << 24); });
  if (!machine.places.empty()) places_of_computers(spec, product);
  const std::size_t others = computers_on_network(spec).size() - static_cast<std::size_t>(spec.nodes);
  if (machine.places.empty() && product != spec.nodes + static_cast<std::int64_t>(others))
    throw UserError("nodes = " + std::to_string(spec.nodes) +
                    (others > 0 ? " and " + std::to_string(others) + " of neighbours and computers beside" : "") +
                    ": must be the product of machine.dimensions = \"" + machine.dimensions + "\", " +
                    std::to_string(product));
  parts.resize(3, std::vector<unsigned>(parts[0].size(), 1));
  return {parts[0], parts[1], parts[2]};
}

} // namespace hypermon
