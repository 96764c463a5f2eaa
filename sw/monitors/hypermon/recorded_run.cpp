#include "sw/monitors/hypermon/recorded_run.hpp"
#include "platforms/ipsc2/core_chain.hpp"
#include "platforms/ipsc2/node_seeds.hpp"
#include "platforms/spec/json.hpp"
#include "platforms/spec/recording.hpp"
#include "platforms/spec/user_error.hpp"

namespace hypermon {

namespace {

const Spec& replayable(const Spec& spec) {
  if (spec.monitor != "hypermon")
    throw UserError("monitor = " + spec.monitor + ": only hypermon's hardware can be driven by a recording");
  if (stalls(spec))
    throw UserError("ecb.node_fifo_full = stall: holds the nodes, so a recording does not say what they would write");
  if (acts_back(spec))
    throw UserError("drain.destination = host: meets the program's messages, so a recording does not say what the "
                    "nodes would write");
  return spec;
}

} // namespace

RecordedRun::RecordedRun(const Spec& spec, const std::string& directory, FateSink* fates)
    : spec_(replayable(spec)), monitor_(spec, node_clocks(spec), std::make_unique<CoreChain>(spec),
                                        HypermonMonitor::Options{false, directory, fates}) {
  for (const NodeClock& clock : node_clocks(spec)) datum_costs_.push_back(datum_cost(spec.port, clock));
}

void RecordedRun::add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
                      MessageSide side) {
  constexpr Time advance_every = 100_ms; // does not affect the result
  if (index(node) >= datum_costs_.size()) throw std::invalid_argument("no such node");
  DecodedRecord record;
  if (!decode_burst(data, spec_.port.width_bits, record, monitor_.catalogue())) throw std::invalid_argument("no event");
  if (first >= next_advance_) {
    monitor_.advance(first);
    next_advance_ = first + advance_every;
  }
  monitor_.emit({node, record.event, first - datum_costs_[index(node)], message, side});
}

nlohmann::ordered_json RecordedRun::finish(const nlohmann::ordered_json& recorded, const std::string& scenario,
                                           Time begin, Time end) {
  monitor_.finish();
  nlohmann::ordered_json result;
  for (const char* key : {"scenario", "spec", "versions", "fingerprint", "elapsed_s", "ranks", "events", "event_bytes"})
    result[key] = recorded.at(key); // in the order of a co-simulation's result
  result["scenario"] = scenario;
  result["spec"] = to_json(spec_);
  monitor_.report(result, begin, end);
  result["bursts"] = recorded.at("bursts");
  return result;
}

} // namespace hypermon
