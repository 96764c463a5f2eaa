// SPDX-License-Identifier: BSD-3-Clause
// TAU with profiles exported through files of a shared file system. Its measurement has the parameters of tau_part.cpp.
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/nfs/core/params.hpp"
#include "sw/monitors/tau/file_params.hpp"
#include "sw/monitors/tau/file_result_keys.hpp"
#include "sw/monitors/tau/losses.hpp"
#include "sw/monitors/tau/transports.hpp"

namespace hypermon {
namespace {

void check_tau_nfs(const Spec& spec) {
  if (!spec.monitor.starts_with("tau") || tau::transport_of(spec) != TauTransport::file) return;
  const auto& nfs = spec.get<NfsParams>();
  const auto& files = spec.get<TauFilesParams>();
  if (nfs.place == NfsPlace::off)
    throw UserError(
        "monitor = " + spec.monitor +
        ": profiles are exported as files, and the machine has no shared file system; set nfs.place to host, "
        "beside or node, and nfs.network");
  if (files.folder.empty() || files.folder.ends_with('/'))
    throw UserError("tau_files.folder = \"" + files.folder + "\": must be a name that does not end with /");
  if (files.consumer == FileConsumer::off) return;
  Places(spec).check_reaches(network_of(network_names(spec), nfs.network, "nfs.network"),
                             {files.place, static_cast<std::uint32_t>(files.number)},
                             "tau_files.place = " + std::string(word(files.place)) +
                                 ", number = " + std::to_string(files.number));
}

} // namespace

Part tau_nfs_part() {
  return {.kind = Part::Kind::monitor,
          .name = "tau_nfs",
          .sections = {section<TauFilesParams>(
              "tau_files", "TAU's profiles in files of the shared file system, and their consumer.")},
          .check = check_tau_nfs,
          .results = keys_of(tau_nfs_keys),
          .monitor = {.ledger_unit = "bytes",
                      .losses = tau::losses_of_files(),
                      .description = "TAU's profiles as NFS files during the run"}};
}

} // namespace hypermon
