// SPDX-License-Identifier: BSD-3-Clause
// Two probes of our own for each board. One is between the I/O node and its PBX: it counts the accesses of the drain
// program, register by register, and times them, their waits for the bus included. The other one listens on the
// backplane.
#include "hw/hypermon/core/registers.hpp"
#include "hw/hypermon/tlm/pbx_module.hpp"
#include <array>
#include <fstream>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace {

// Counts the nodes' transactions and their data bytes. It leaves the response status as it is.
class StrobeProbe : public sc_core::sc_module, hypermon::StrobeTarget {
public:
  tlm::tlm_target_socket<> from_backplane{"from_backplane"};

  StrobeProbe(const char* name, std::string file) : sc_module(name), file_(std::move(file)) {
    from_backplane.bind(*this);
  }
  ~StrobeProbe() override {
    std::ofstream(file_) << "transactions,bytes,last_us\n"
                         << transactions_ << ',' << bytes_ << ',' << last_.to_seconds() * 1e6 << '\n';
  }

private:
  // A node writes ahead of SystemC's time: the sum is the time of the transaction's first strobe.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    ++transactions_;
    bytes_ += payload.get_data_length();
    last_ = std::max(last_, sc_core::sc_time_stamp() + delay);
  }

  std::string file_;
  std::uint64_t transactions_ = 0;
  std::uint64_t bytes_ = 0;
  sc_core::sc_time last_;
};

class Probe : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<Probe> from_program{"from_program"};
  tlm_utils::simple_initiator_socket<Probe> to_bus{"to_bus"};

  StrobeProbe strobes;

  Probe(const char* name, const std::string& directory, const std::string& number)
      : sc_module(name), strobes("strobes", directory + "/strobes" + number + ".csv"),
        file_(directory + "/probe" + number + ".csv") {
    from_program.register_b_transport(this, &Probe::b_transport);
  }
  // The run has ended.
  ~Probe() override {
    std::ofstream out(file_);
    out << "register,accesses,least_ns,most_ns\n";
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if (const Seen& seen = seen_[i]; seen.accesses > 0)
        out << hypermon::pbx_registers[i].name << ',' << seen.accesses << ',' << seen.least.to_seconds() * 1e9 << ','
            << seen.most.to_seconds() * 1e9 << '\n';
  }

private:
  // Passes everything on; what the bus adds to the annotation, or makes us wait, is what the access took.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
    const std::uint64_t offset = payload.get_address() - hypermon::pbx_register_base;
    to_bus->b_transport(payload, delay);
    const hypermon::RegisterInfo* which = hypermon::find_register(offset);
    if (which == nullptr) return;
    Seen& seen = seen_[static_cast<std::size_t>(which - hypermon::pbx_registers.data())];
    const sc_core::sc_time took = sc_core::sc_time_stamp() + delay - begin;
    seen.least = seen.accesses == 0 ? took : std::min(seen.least, took);
    seen.most = std::max(seen.most, took);
    ++seen.accesses;
  }

  struct Seen {
    std::uint64_t accesses = 0;
    sc_core::sc_time least;
    sc_core::sc_time most;
  };
  std::string file_;
  std::array<Seen, hypermon::pbx_registers.size()> seen_{};
};

sc_core::sc_module* between(const hypermon::PbxPlace& place) {
  auto* probe = new Probe("probe", place.directory, std::to_string(place.board));
  place.backplane.strobe_initiator.bind(probe->strobes.from_backplane);
  place.master.bind(probe->from_program);
  probe->to_bus.bind(place.bus.pbx_target);
  return probe;
}

} // namespace

HYPERMON_PBX_MODULE(between)
