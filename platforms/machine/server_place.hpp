// Where file servers stand.
#pragma once
#include "hw/core/per_board.hpp"
#include "sw/model/site.hpp"
#include "sw/model/spec.hpp"
#include "sw/model/storage_params.hpp"

namespace hypermon {

using ServerSection = PerBoard<ServerParams>;
using DiskSection = PerBoard<DiskParams>;

inline Place place_of(const ServerParams& server) {
  const auto number = static_cast<std::uint32_t>(server.number);
  if (server.place == "node") return {Place::Kind::node, number};
  return {server.place == "host" ? Place::Kind::host : Place::Kind::beside, number};
}

} // namespace hypermon
