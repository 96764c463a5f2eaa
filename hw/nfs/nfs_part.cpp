// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "hw/machine/computers.hpp"
#include "hw/nfs/core/outages.hpp"
#include "hw/nfs/core/params.hpp"
#include "hw/nfs/nfs_server.hpp"

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
      .results = {
          {"nfs.procedures[].procedure", "",
           "Call of NFS version 3 that a node makes to the shared file system (nfs.place).", result::text},
          {"nfs.procedures[].calls", "calls", "That the server has done."},
          {"nfs.procedures[].service_s", "s", "Its time for them."},
          {"nfs.procedures[].waited_s", "s", "That they waited at the server before."},
          {"nfs.procedures[].longest_ms", "ms", "The longest time from a client's call to its answer."},
          {"nfs.journal_s", "s", "That the server's journal was busy (nfs.journal)."},
          {"nfs.longest_queue", "calls", "That were at the server at once."},
          {"nfs.files", "files", "In it at the end."},
          {"nfs.written_bytes", "B", "That processes have written, when they closed their files."},
          {"nfs.read_bytes", "B", "That processes have read."},
          {"nfs.stale_reads", "reads", "Of files that another one had replaced meanwhile."},
          {"nfs.lost_requests", "requests", "That came while the server was down, or were there when it went."},
          {"nfs.retransmissions", "requests", "That clients sent again."},
          {"nfs.duplicates", "requests", "Of these the server knew already."},
          {"nfs.not_responding.calls", "calls", "Of which a client said that the server is not responding."},
          {"nfs.not_responding.first_s", "s", "When the first one did; null if none did.", result::or_null()},
          {"nfs.not_responding.longest_s", "s", "The longest that such a call took, once it was answered."},
      }};
}

} // namespace hypermon
