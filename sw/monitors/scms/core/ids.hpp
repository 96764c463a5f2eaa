// SPDX-License-Identifier: BSD-3-Clause
// Who and what messages of SCMS/RMS name: agents and clients, resources, sets of nodes.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hypermon::scms {

/// Who speaks: the CMA of node n is n, the SMAs follow (the root first, then level by level), and behind them clients.
enum class Peer : std::uint32_t {};
constexpr std::uint32_t index(Peer peer) { return static_cast<std::uint32_t>(peer); }

/// A plug-in's 32-bit id and one of its functions, by number, as one integer (sec. 3.2: compact names).
enum class Resource : std::uint64_t {};
using PluginId = std::uint32_t;
constexpr Resource resource(PluginId plugin, std::uint32_t function) {
  return static_cast<Resource>(std::uint64_t{plugin} << 32U | function);
}
constexpr PluginId plugin_of(Resource r) { return static_cast<PluginId>(static_cast<std::uint64_t>(r) >> 32U); }
constexpr std::uint32_t function_of(Resource r) { return static_cast<std::uint32_t>(r); }

/// Shared by all messages that name the same: never null in a message that has one.
using ResourceVector = std::shared_ptr<const std::vector<Resource>>;
/// Ascending, each once.
using NodeSet = std::shared_ptr<const std::vector<NodeId>>;

inline ResourceVector resource_vector(std::vector<Resource> resources) {
  return std::make_shared<const std::vector<Resource>>(std::move(resources));
}
inline NodeSet node_set(std::vector<NodeId> nodes) {
  return std::make_shared<const std::vector<NodeId>>(std::move(nodes));
}

} // namespace hypermon::scms
