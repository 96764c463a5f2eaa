// SPDX-License-Identifier: BSD-3-Clause
// Identifiers in messages of SCMS/RMS: agents and clients, resources, sets of nodes.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hypermon::scms {

/// An agent or client: the CMA of node n has number n. SMAs follow (the root first, then level by level), then clients.
enum class Peer : std::uint32_t {};
constexpr std::uint32_t index(Peer peer) { return static_cast<std::uint32_t>(peer); }

/// A plug-in's 32-bit id and the number of one of its functions, as one integer (sec. 3.2: compact names).
enum class Resource : std::uint64_t {};
using PluginId = std::uint32_t;
constexpr Resource resource(PluginId plugin, std::uint32_t function) {
  return static_cast<Resource>(std::uint64_t{plugin} << 32U | function);
}
constexpr PluginId plugin_of(Resource r) { return static_cast<PluginId>(static_cast<std::uint64_t>(r) >> 32U); }
constexpr std::uint32_t function_of(Resource r) { return static_cast<std::uint32_t>(r); }

/// Shared by all messages with the same resources. Never null in a message that has resources.
using ResourceVector = std::shared_ptr<const std::vector<Resource>>;
/// In ascending order without duplicates.
using NodeSet = std::shared_ptr<const std::vector<NodeId>>;

inline ResourceVector resource_vector(std::vector<Resource> resources) {
  return std::make_shared<const std::vector<Resource>>(std::move(resources));
}
inline NodeSet node_set(std::vector<NodeId> nodes) {
  return std::make_shared<const std::vector<NodeId>>(std::move(nodes));
}

} // namespace hypermon::scms
