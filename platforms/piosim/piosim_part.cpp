// What a platform of packets is described by, and what must hold between it.
#include "platforms/piosim/params_fields.hpp"
#include "sw/model/parts.hpp"
#include "sw/model/spec.hpp"
#include "sw/model/user_error.hpp"

namespace hypermon {
namespace {

void check_piosim(const Spec& spec) {
  const auto& pfs = spec.get<PfsParams>();
  if (pfs.servers == 0) return;
  if (spec.get<PacketParams>().network == PacketModel::off)
    throw UserError("pfs.servers = " + std::to_string(pfs.servers) + ": must be 0 with packets.network = off");
  if (pfs.place == ServerPlace::nodes && pfs.servers > spec.nodes)
    throw UserError("pfs.servers = " + std::to_string(pfs.servers) +
                    ": must be at most nodes = " + std::to_string(spec.nodes) + " with pfs.place = nodes");
}

} // namespace

Part piosim_part() {
  return {.sections = {section<PacketParams>("packets", "A network of packets that are stored and forwarded."),
                       section<PfsParams>("pfs", "A parallel file system on it."),
                       section<PfsCacheParams>("pfs_cache", "The cache of each of its servers."),
                       section<PfsDiskParams>("pfs_disk", "The disk of each of its servers."),
                       section<PioCpuParams>("pio_cpu", "What steps of the libraries on that network take.")},
          .check = check_piosim};
}

} // namespace hypermon
