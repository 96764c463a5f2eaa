// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/recorded_run.hpp"
#include "base/json.hpp"
#include "base/recording.hpp"
#include "base/user_error.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/core_chain.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue_json.hpp"

namespace hypermon {

namespace {

const Spec& replayable(const Spec& spec, bool in_systemc) {
  if (!is_hypermon(spec))
    throw UserError("monitor = " + spec.monitor + ": only hypermon's hardware can be driven by a recording");
  if (stalls(spec))
    throw UserError(
        "ecb.node_fifo_full = stall: stalls the nodes, so a recording does not have the data that they would write");
  if (applies_back_pressure(spec))
    throw UserError("drain.destination = host: meets the program's messages, so a recording does not say what the "
                    "nodes would write");
  if (own_boards(spec) && !in_systemc)
    throw UserError(std::string(parameter_of_own_boards(spec)) +
                    ": a user's board runs in SystemC; use hypermon replay");
  if (contends(spec))
    throw UserError("dma.words, pbx.module: a replay does not simulate other masters and modules on the PBX");
  return spec;
}

std::unique_ptr<CaptureChain> chain_of(const Spec& spec, const Cut& cut, std::unique_ptr<CaptureChain> own_boards) {
  if (own_boards != nullptr) return own_boards;
  auto chain = std::make_unique<CoreChain>(spec, catalogue_size(spec));
  if (cut.delivers_ahead()) chain->deliver_ahead();
  return chain;
}

} // namespace

RecordedRun::RecordedRun(const Spec& spec, const std::string& directory, FateSink* fates, const Cut& cut,
                         std::unique_ptr<CaptureChain> own_boards, std::vector<BurstSink*> sinks)
    : spec_(replayable(spec, own_boards != nullptr)),
      monitor_(spec, node_clocks(spec), chain_of(spec, cut, std::move(own_boards)),
               HypermonMonitor::Options{false, directory, fates, std::move(sinks), cut}),
      cut_(cut) {
  for (const NodeClock& clock : node_clocks(spec)) datum_costs_.push_back(datum_cost(spec.get<PortParams>(), clock));
}

void RecordedRun::program_ends(Time at) { monitor_.program_ends(program_end_ = at); }

void RecordedRun::add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
                      MessageSide side) {
  if (index(node) >= datum_costs_.size()) throw std::invalid_argument("no such node");
  DecodedRecord record;
  if (!decode_burst(data, spec_.get<PortParams>().width_bits, record, monitor_.catalogue()))
    throw std::invalid_argument("no event");
  if (first >= next_advance_) {
    monitor_.advance(first);
    next_advance_ = cut_.next(first);
  }
  monitor_.emit({node, record.event, first - datum_costs_[index(node)], message, side});
}

Json RecordedRun::finish(const Json& recorded, const std::string& scenario, Time begin, Time end) {
  if (program_end_ == Time::never()) throw std::logic_error("a replay that was not told when the program ended");
  monitor_.finish(program_end_);
  Json result = result_before(recorded, scenario, spec_);
  Results results(result);
  monitor_.report(results, begin, end);
  add_rest(result, recorded);
  return result;
}

} // namespace hypermon
