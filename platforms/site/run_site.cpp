// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/site/run_site.hpp"
#include "sw/monitors/site_keys.hpp"

namespace hypermon {

RunSite::RunSite(const Spec& spec, Machine& machine, OperatingSystem& os, MpiLayer& mpi, const std::string& folder)
    : os_(os), mpi_(mpi), networks_(spec, machine), servers_(spec, networks_),
      shared_files_(spec.get<NfsParams>().place == NfsPlace::off ? nullptr
                                                                 : std::make_unique<NfsFiles>(spec, networks_)),
      kernels_(os), messages_(os, mpi.counts), memory_(os), program_(os, spec.get<CountersParams>()),
      interfaces_(networks_), processes_(spec, os), samples_(counters_, folder),
      site_({machine, os, os.execution.processors(), networks_, servers_, shared_files_.get(), counters_, processes_,
             samples_, footprint_},
            folder) {
  counters_.add(kernels_);
  counters_.add(messages_);
  counters_.add(memory_);
  counters_.add(program_);
  counters_.add(interfaces_);
  counters_.add(processes_);
  set_program_counters(&program_);
  networks_.on_kernel_work([&os](NodeId node, Time work) { os.kernels.interrupt(node, work); });
}

RunSite::~RunSite() { set_program_counters(nullptr); }

void RunSite::offer_files() {
  if (!shared_files_) return;
  shared_io_ = std::make_unique<NfsIo>(*shared_files_);
  mpi_.file_system = shared_io_.get();
  os_.wake_ups.also([this] { return shared_files_->under_way(); });
}

void RunSite::report(Results& results) {
  if (shared_files_) shared_files_->report(results);
  report_footprint(results);
  if (!samples_.used()) return;
  samples_.close();
  samples_.report(results);
}

void RunSite::report_footprint(Results& results) const {
  const auto& keys = site_keys.footprint.networks;
  ResultRecords carried(keys.list);
  bool is_any = false;
  for (std::uint32_t n = 0; n < networks_.count(); ++n) {
    const NetworkId network{n};
    const InterfaceCounts sent = networks_.carried(network);
    if (sent.sent_bytes == 0) continue;
    is_any = true;
    carried.add({keys.network(networks_.name(network)), keys.bytes(sent.sent_bytes), keys.packets(sent.sent_packets)});
  }
  if (footprint_.is_empty() && !is_any) return;
  footprint_.report(results);
  results.set(std::move(carried));
}

} // namespace hypermon
