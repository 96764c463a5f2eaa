// SPDX-License-Identifier: BSD-3-Clause
// TAU whose profiles leave by files of a shared file system: its measurement is tau_part.cpp's.
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/nfs/core/params.hpp"
#include "sw/monitors/tau/choice_of_transport.hpp"
#include "sw/monitors/tau/file_params.hpp"
#include "sw/monitors/tau/losses.hpp"

namespace hypermon {
namespace {

void check_tau_nfs(const Spec& spec) {
  if (!spec.monitor.starts_with("tau") || tau::transport_of(spec) != TauTransport::file) return;
  const auto& nfs = spec.get<NfsParams>();
  const auto& files = spec.get<TauFilesParams>();
  if (nfs.place == NfsPlace::off)
    throw UserError("monitor = " + spec.monitor +
                    ": profiles leave by files, and the machine has no shared file system; set nfs.place to host, "
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
  return {
      .kind = Part::Kind::monitor,
      .name = "tau_nfs",
      .sections = {section<TauFilesParams>("tau_files",
                                           "TAU's profiles in files of the shared file system, and their consumer.")},
      .check = check_tau_nfs,
      .results =
          {{"monitor.dump_times.mean_ms", "ms",
            "tau_nfs: that a process was in a dump's system calls, of all processes and dumps; not there "
            "without dumps."},
           {"monitor.dump_times.least_ms", "ms", "tau_nfs: the least."},
           {"monitor.dump_times.most_ms", "ms", "tau_nfs: the most."},
           {"monitor.dump_times.spread_ms", "ms",
            "tau_nfs: the most less the least of the processes of one dump, in the mean of all dumps."},
           {"monitor.dump_times.all_ms", "ms",
            "tau_nfs: from the first process's entry to the last one's exit, in the mean of all dumps."},
           {"monitor.dump_times.of_a_process_s", "s",
            "tau_nfs: the sum of all dumps' means over processes: what dumps take of a run whose processes all take "
            "the same."},
           {"monitor.dump_times.dumps[].number", "", "tau_nfs: of a dump of all processes, from 0 on."},
           {"monitor.dump_times.dumps[].begin_s", "s", "tau_nfs: when the first process entered it."},
           {"monitor.dump_times.dumps[].all_ms", "ms", "tau_nfs: until the last one left it."},
           {"monitor.dump_times.dumps[].mean_ms", "ms", "tau_nfs: of a process."},
           {"monitor.dump_times.dumps[].least_ms", "ms", "tau_nfs: the least."},
           {"monitor.dump_times.dumps[].most_ms", "ms", "tau_nfs: the most."},
           {"monitor.consumer.looks", "looks", "tau_nfs: that the consumer had at the files."},
           {"monitor.consumer.late", "looks", "tau_nfs: that began late, as the one before took longer."},
           {"monitor.consumer.profiles", "profiles", "tau_nfs: that it has read."},
           {"monitor.consumer.longest_look_ms", "ms", "tau_nfs: that one of its looks took."}},
      .monitor = {.ledger_unit = "bytes",
                  .losses = tau::losses_of_files(),
                  .description = "TAU's profiles as NFS files during the run"}};
}

} // namespace hypermon
