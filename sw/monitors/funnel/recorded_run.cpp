// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/funnel/recorded_run.hpp"
#include "base/parts.hpp"
#include "base/user_error.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/monitors/funnel/chips.hpp"

#include <stdexcept>

namespace hypermon {

namespace {

constexpr Time latest = Time::from_ps(2'000'000'000'000'000'000); // limit of 23 days, as for streams

const Spec& replayable(const Spec& spec) {
  if (any_holds(spec))
    throw UserError(
        "funnel_source.full = stall: stalls the nodes, so a recording does not have the data that they would write");
  return spec;
}

} // namespace

FunnelRerun::FunnelRerun(const Spec& spec, FateSink* fates, const Cut& cut)
    : spec_(replayable(spec)), is_stream_(workload_of(spec).workload.is_stream),
      catalogue_(read_catalogue(spec.get<InstrumentationParams>().catalogue)),
      store_bytes_(static_cast<std::size_t>(spec.get<StimulusParams>().store_bytes)), traces_(spec),
      ports_(stimulus_ports(spec, node_clocks(spec))), next_from_(ports_.size()), cut_(cut) {
  traces_.set_fates(fates);
}

void FunnelRerun::watch(const std::string& path, Time from, Time to) { waves_.emplace(spec_, traces_, path, from, to); }

void FunnelRerun::add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
                      MessageSide side) {
  if (index(node) >= ports_.size()) throw std::invalid_argument("no such node");
  if (data.empty() || data.size() % store_bytes_ != 0) throw std::invalid_argument("no event of whole stores");
  const Event event = is_stream_ ? Event{} : event_in(data);
  const StimulusPort& port = ports_[index(node)];
  const Time start = first - port.store;
  if (start < next_from_[index(node)])
    throw std::invalid_argument("an event that begins before the one before it has ended");
  if (first > latest) throw std::invalid_argument("a time that no run reaches");
  if (first < last_first_) throw std::invalid_argument("rows that are not in their order");
  last_first_ = first;
  if (first >= next_advance_ || rows_since_advance_ == cut_.most_bursts()) {
    advance(first);
    next_advance_ = cut_.next(first);
    rows_since_advance_ = 0;
  }
  ++rows_since_advance_;
  const Time written = port.last(start, data.size() / store_bytes_);
  traces_.write({node, event, start, first, message, side}, written, data);
  next_from_[index(node)] = written;
}

Json FunnelRerun::finish(const Json& recorded, const std::string& scenario, Time, Time) {
  if (program_end_ == Time::never()) throw std::logic_error("a replay that was not told when the program ended");
  traces_.finish(program_end_);
  Json result = result_before(recorded, scenario, spec_);
  Results results(result);
  traces_.report(results);
  add_rest(result, recorded);
  return result;
}

void FunnelRerun::advance(Time horizon) {
  traces_.advance(horizon);
  if (waves_) waves_->advance(horizon);
}

Event FunnelRerun::event_in(std::span<const std::uint8_t> data) const {
  const std::optional<Event> event = decode_bytes(data, catalogue_);
  if (!event || stored_bytes(spec_, catalogue_.data_bytes(event->type)) != data.size())
    throw std::invalid_argument("no event");
  return *event;
}

} // namespace hypermon
