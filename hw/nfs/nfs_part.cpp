// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "hw/machine/computers.hpp"
#include "hw/nfs/core/outages.hpp"
#include "hw/nfs/core/params.hpp"
#include "hw/nfs/nfs_server.hpp"
#include "hw/nfs/result_keys.hpp"

namespace hypermon {
namespace {

void check_nfs(const Spec& spec) {
  const auto& nfs = spec.get<NfsParams>();
  nfs::outages_of(nfs.outages);
  const auto server = nfs_server(nfs);
  if (!server) return;
  const NetworkId network = network_of(network_names(spec), nfs.network, "nfs.network");
  Places(spec).check_reaches(
      network, *server, "nfs.place = " + std::string(word(nfs.place)) + ", number = " + std::to_string(nfs.number));
}

} // namespace

std::optional<Place> nfs_server(const NfsParams& params) {
  const auto number = static_cast<std::uint32_t>(params.number);
  switch (params.place) {
  case NfsPlace::host:
    return Place{Place::Kind::host, number};
  case NfsPlace::beside:
    return Place{Place::Kind::beside, number};
  case NfsPlace::node:
    return Place{Place::Kind::node, number};
  case NfsPlace::off:
    break;
  }
  return {};
}

Part nfs_part() {
  return {
      .sections = {section<NfsParams>("nfs", "Shared file system: an NFS server and the clients on all computers.")},
      .check = check_nfs,
      .results = keys_of(nfs_keys)};
}

} // namespace hypermon
