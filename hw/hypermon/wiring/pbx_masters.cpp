// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/pbx_masters.hpp"
#include "base/user_error.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/core/second_master.hpp"
#include "hw/hypermon/tlm/pbx_module.hpp"
#include "hw/hypermon/wiring/boards.hpp"

#include <random>
#include <set>
#include <utility>

namespace hypermon {

UserObject pbx_object(const Spec& spec) {
  return {spec.get<PbxParams>().module,
          {.parameter = "pbx.module",
           .macro = "HYPERMON_PBX_MODULE",
           .page = "docs/how-to/own-module.md",
           .function = pbx_module_function,
           .build_name = pbx_module_build_name,
           .systemc_name = pbx_module_systemc_name}};
}

void refuse_wait(const UserObject& modules, std::size_t board) {
  fail_user(UserError("ecb.level = functional: must be transactions or rtl with " + modules.name() +
                      ", which waits in an access of board " + std::to_string(board)));
}

namespace {

// Stands before a user's modules in a run with waves, whose accesses are at SystemC's time and could wait. Without
// waves they cannot, and waves must not decide which runs are refused.
class WaitRefusal : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<WaitRefusal> pbx_target{"pbx_target"};
  tlm_utils::simple_initiator_socket<WaitRefusal> pbx_initiator{"pbx_initiator"};

  WaitRefusal(const UserObject& modules, std::size_t board)
      : sc_module(sc_core::sc_module_name("wait_refusal")), modules_(modules), board_(board) {
    pbx_target.register_b_transport(this, &WaitRefusal::b_transport);
    pbx_target.register_transport_dbg(this, &WaitRefusal::transport_dbg);
  }

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const sc_core::sc_time begin = sc_core::sc_time_stamp();
    pbx_initiator->b_transport(payload, delay);
    if (sc_core::sc_time_stamp() != begin) refuse_wait(modules_, board_);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return pbx_initiator->transport_dbg(payload); }

  const UserObject& modules_;
  std::size_t board_;
};

// Names of all SystemC processes among these objects and below them.
std::set<std::string> processes_below(const std::vector<sc_core::sc_object*>& objects) {
  std::set<std::string> names;
  for (sc_core::sc_object* object : objects) {
    if (sc_core::sc_process_handle(object).valid()) names.insert(object->name());
    names.merge(processes_below(object->get_child_objects()));
  }
  return names;
}

} // namespace

PbxMasters::PbxMasters(const Spec& spec, std::size_t board, tlm::tlm_initiator_socket<>& program, Backplane& backplane,
                       PbxBus& bus, const UserObject& modules, const std::string& directory, BusWatch* watch)
    : watch_(watch) {
  if (watch_ != nullptr) bus.set_watch(*watch_);
  const bool contended = spec.get<SecondMasterParams>().words > 0;
  tlm::tlm_initiator_socket<>& drain = tapped("io_node_tap", BusWatch::Master::io_node, program);
  tlm::tlm_initiator_socket<>& master = contended ? contend(spec, board, drain, bus) : drain;
  if (modules.empty()) {
    master.bind(bus.pbx_target);
    return;
  }
  tlm::tlm_initiator_socket<>* before_modules = &master;
  if (watch_ != nullptr && !boards_follow_systemc(spec)) {
    auto refusal = std::make_unique<WaitRefusal>(modules, board);
    master.bind(refusal->pbx_target);
    before_modules = &refusal->pbx_initiator;
    wait_refusal_ = std::move(refusal);
  }
  const std::set<std::string> before = processes_below(sc_core::sc_get_top_level_objects());
  between_.reset(modules.function<BindPbx>()({board, *before_modules, bus, directory, backplane}));
  if (between_ == nullptr) throw UserError(modules.name() + ": has made no module");
  if (boards_follow_systemc(spec)) return;
  for (const std::string& name : processes_below(sc_core::sc_get_top_level_objects()))
    if (!before.contains(name))
      throw UserError(
          "ecb.level = functional: must be transactions or rtl with a pbx.module that has the SystemC process " + name +
          ", because SystemC's time does not advance");
}

// Returns the socket through which the accesses of all masters go on to the bus.
tlm::tlm_initiator_socket<>& PbxMasters::contend(const Spec& spec, std::size_t board,
                                                 tlm::tlm_initiator_socket<>& program, PbxBus& bus) {
  const auto& second = spec.get<SecondMasterParams>();
  std::mt19937_64 random(static_cast<std::uint64_t>(second.seed) << 16 ^ board);
  const Time phase =
      Time::from_ns(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(second.period_ns.number)));
  const bool in_turn = second.arbitration == PbxArbitration::round_robin;
  contenders_.reset(new Contenders{{"arbiter", in_turn ? Arbitration::round_robin : Arbitration::priority},
                                   {"second_master", second, phase},
                                   {"memory", spec.get<PbxParams>()}});
  auto& [arbiter, master, memory] = *contenders_;
  tlm::tlm_initiator_socket<>& other =
      tapped("second_master_tap", BusWatch::Master::second_master, master.pbx_initiator);
  if (second.arbitration == PbxArbitration::second_first) other.bind(arbiter.pbx_target);
  program.bind(arbiter.pbx_target);
  if (second.arbitration != PbxArbitration::second_first) other.bind(arbiter.pbx_target);
  bus.attach(memory.pbx_target, PbxMemory::addresses);
  return arbiter.pbx_initiator;
}

// Returns the socket through which the master's accesses go on, which is its own without waves.
tlm::tlm_initiator_socket<>& PbxMasters::tapped(const char* name, BusWatch::Master master,
                                                tlm::tlm_initiator_socket<>& socket) {
  if (watch_ == nullptr) return socket;
  PbxTap& tap = *taps_.emplace_back(std::make_unique<PbxTap>(name, master, *watch_));
  socket.bind(tap.pbx_target);
  return tap.pbx_initiator;
}

void PbxMasters::add_to(std::optional<CaptureChain::Contention>& sum, Time waited, Time longest) const {
  if (!contenders_) return;
  if (!sum) sum.emplace();
  const SecondMaster::Totals& second = contenders_->second.totals();
  sum->drain_waited += waited;
  sum->longest_wait = std::max(sum->longest_wait, longest);
  sum->bursts += second.bursts;
  sum->second_waited += second.waited;
}

} // namespace hypermon
