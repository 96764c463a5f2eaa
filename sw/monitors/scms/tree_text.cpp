// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/tree_text.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/dimensions.hpp"
#include "hw/machine/machine_params.hpp"
#include "sw/monitors/scms/params.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace hypermon::scms {
namespace {

/// Reads a text such as `[[0-15] [16-31]]`.
class Reader {
public:
  Reader(const std::string& text, std::int64_t nodes) : text_(text), seen_(static_cast<std::size_t>(nodes)) {}

  Partition read() {
    blanks();
    if (!take('[')) refuse("must be a list");
    Partition root = list();
    blanks();
    if (at_ != text_.size()) refuse("must end behind the list");
    const auto missing = std::find(seen_.begin(), seen_.end(), false);
    if (missing != seen_.end()) refuse("node " + std::to_string(missing - seen_.begin()) + " is missing");
    return root;
  }

private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw UserError("scms.tree = \"" + text_ + "\": " + why + "; every node from 0 to " +
                    std::to_string(seen_.size() - 1) + " must be there once, like [[0-15] [16-31]]");
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void blanks() { at_ = std::min(text_.find_first_not_of(" \t\n,", at_), text_.size()); }
  std::int64_t number() {
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0) refuse("character " + std::to_string(at_ + 1) + " begins no node");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  Partition list(int depth = 1) {
    Partition partition;
    if (depth > deepest) refuse("lists are at most " + std::to_string(deepest) + " deep");
    for (blanks(); !take(']'); blanks()) {
      if (at_ == text_.size()) refuse("a list has no end");
      if (take('[')) {
        partition.partitions.push_back(list(depth + 1));
        continue;
      }
      const std::int64_t first = number();
      const std::int64_t last = take('-') ? number() : first;
      if (last < first) refuse("a range must not go down");
      for (std::int64_t n = first; n <= last; ++n) add(partition, n);
    }
    if (partition.nodes.empty() && partition.partitions.empty()) refuse("a list is empty");
    return partition;
  }
  void add(Partition& partition, std::int64_t node) {
    if (node >= static_cast<std::int64_t>(seen_.size())) refuse("there is no node " + std::to_string(node));
    const auto n = static_cast<std::size_t>(node);
    if (seen_[n]) refuse("node " + std::to_string(node) + " is there twice");
    seen_[n] = true;
    partition.nodes.push_back(NodeId{static_cast<std::uint32_t>(node)});
  }

  static constexpr int deepest = 64;
  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<bool> seen_;
};

/// A partition for each switch below the switch of `level` whose first place is `begin`; none if it has no node.
std::optional<Partition> of_switch(const std::map<std::uint32_t, NodeId>& nodes, const std::vector<unsigned>& sizes,
                                   std::size_t level, std::uint64_t begin) {
  std::uint64_t below = 1; // places below each of its children
  for (std::size_t l = 0; l < level; ++l) below *= sizes[l];
  Partition partition;
  for (unsigned child = 0; child < sizes[level]; ++child) {
    const std::uint64_t first = begin + child * below;
    if (level == 0) {
      if (const auto node = nodes.find(static_cast<std::uint32_t>(first)); node != nodes.end())
        partition.nodes.push_back(node->second);
    } else if (auto inner = of_switch(nodes, sizes, level - 1, first)) {
      partition.partitions.push_back(std::move(*inner));
    }
  }
  if (partition.nodes.empty() && partition.partitions.empty()) return {};
  return partition;
}

Partition of_switches(const Spec& spec) {
  if (spec.get<MachineParams>().topology != Topology::fat_tree)
    throw UserError("scms.partitions = switches: the machine must be a tree of switches, machine.topology = fat_tree");
  const std::vector<unsigned> sizes = dimensions_of(spec).sizes;
  std::int64_t places = 1;
  for (const unsigned size : sizes) places *= size;
  const std::vector<std::uint32_t> taken = places_of_computers(spec, places);
  std::map<std::uint32_t, NodeId> nodes;
  for (std::uint32_t n = 0; n < static_cast<std::uint32_t>(spec.nodes); ++n) nodes.emplace(taken.at(n), NodeId{n});
  return of_switch(nodes, sizes, sizes.size() - 1, 0).value();
}

void check_size(const Partition& partition, std::int64_t largest, const std::string& parameter) {
  const auto agents = std::ssize(partition.nodes) + std::ssize(partition.partitions);
  if (agents > largest)
    throw UserError(parameter + ": a partition of " + std::to_string(agents) + " agents; scms.largest_partition = " +
                    std::to_string(largest) + " is the most that an SMA may have");
  for (const Partition& inner : partition.partitions) check_size(inner, largest, parameter);
}

} // namespace

Tree tree_of(const Spec& spec) {
  const auto& params = spec.get<ScmsParams>();
  const auto nodes = static_cast<std::uint32_t>(spec.nodes);
  Partition root;
  std::string parameter = "scms.tree = \"" + params.tree + "\"";
  if (!params.tree.empty()) {
    root = Reader(params.tree, spec.nodes).read();
  } else if (params.partitions == ScmsPartitions::switches) {
    root = of_switches(spec);
    parameter = "scms.partitions = switches";
  } else {
    root = even_partitions(nodes, static_cast<std::uint32_t>(params.fanout));
    parameter = "scms.fanout = " + std::to_string(params.fanout);
  }
  check_size(root, params.largest_partition, parameter);
  return Tree(nodes, root);
}

} // namespace hypermon::scms
