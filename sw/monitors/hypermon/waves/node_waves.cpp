// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/waves/node_waves.hpp"
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/core/erb_line.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/instrumentation/record.hpp"
#include "sw/instrumentation/system_calls.hpp"
#include <algorithm>
#include <bit>
#include <cstring>

namespace hypermon {

namespace {

constexpr std::array activities{"absent", "computing", "sending", "receiving", "waiting", "calling", "emitting"};

std::uint32_t datum(std::span<const std::uint8_t> data, std::size_t i, std::int64_t width_bits) {
  const std::size_t bytes = bytes_per_datum(width_bits);
  std::uint32_t value = 0;
  for (std::size_t b = 0; b < bytes; ++b) value |= std::uint32_t{data[i * bytes + b]} << 8 * b;
  return value & mask_of_datum(width_bits);
}

Activity in_call(SystemCall call) {
  switch (call) {
  case SystemCall::csend:
  case SystemCall::isend:
    return Activity::sending;
  case SystemCall::crecv:
  case SystemCall::irecv:
  case SystemCall::iprobe:
  case SystemCall::cprobe:
    return Activity::receiving;
  case SystemCall::msgwait:
    return Activity::waiting;
  case SystemCall::mclock:
    break;
  }
  return Activity::calling;
}

} // namespace

std::vector<Signal> NodeWaves::signals(const Spec& spec) {
  std::vector<Signal> all;
  std::vector<std::string> events{"none"};
  const Catalogue catalogue = read_catalogue(spec.get<InstrumentationParams>().catalogue);
  for (const EventRow& row : catalogue.rows()) events.push_back(row.name);
  for (std::int64_t n = 0; n < spec.nodes; ++n) {
    const std::string rank = "rank" + std::to_string(n) + ".";
    all.push_back({rank + "state", Signal::Kind::state, 3, {activities.begin(), activities.end()}});
    all.push_back({rank + "event", Signal::Kind::state, static_cast<unsigned>(std::bit_width(events.size())), events});
  }
  const std::int64_t inputs = spec.get<EcbSection>().inputs;
  const auto width = static_cast<unsigned>(spec.get<PortParams>().width_bits);
  for (std::int64_t first = 0; first < spec.nodes; first += inputs)
    for (const char* scope : {"port", "backplane.slot"})
      for (std::int64_t i = 0; i < std::min(inputs, spec.nodes - first); ++i) {
        const std::string line =
            "board" + std::to_string(first / inputs) + "." + scope + "[" + std::to_string(i) + "].";
        all.push_back({line + "strobe", Signal::Kind::event});
        all.push_back({line + "data", Signal::Kind::value, width});
      }
  return all;
}

NodeWaves::NodeWaves(const Spec& spec, const std::vector<bool>& wanted)
    : catalogue_(read_catalogue(spec.get<InstrumentationParams>().catalogue)), decodes_(spec.workload != "stream"),
      width_bits_(spec.get<PortParams>().width_bits), signals_(signals(spec)), wanted_(wanted) {
  const auto inputs = static_cast<std::size_t>(spec.get<EcbSection>().inputs);
  const std::vector<NodeClock> clocks = node_clocks(spec);
  for (const NodeClock& clock : clocks) {
    const std::size_t n = nodes_.size();
    const std::size_t on_board = std::min(inputs, clocks.size() - n / inputs * inputs);
    const std::size_t before = 2 * clocks.size() + board_signals_per_node * (n / inputs * inputs);
    Node& node = nodes_.emplace_back();
    node.port = static_cast<std::uint32_t>(before + 2 * (n % inputs));
    node.slot = static_cast<std::uint32_t>(node.port + 2 * on_board);
    node.datum_cost = datum_cost(spec.get<PortParams>(), clock);
    lead_ = std::max(lead_, node.datum_cost);
  }
}

Activity NodeWaves::after(const Node& node, const Event& event) const {
  const EventRow& row = catalogue_.row(event.type);
  switch (row.point) {
  case Point::process_end:
    return Activity::absent;
  case Point::process_start:
  case Point::syscall_exit:
    return Activity::computing;
  case Point::syscall_entry:
    return row.arguments.empty() ? Activity::calling : in_call(static_cast<SystemCall>(event.args[0]));
  case Point::switch_out:
    return Activity::waiting;
  case Point::switch_in:
    return node.call;
  default:
    return node.now;
  }
}

void NodeWaves::burst(std::uint32_t n, Time first, Time spacing, std::span<const std::uint8_t> data) {
  Node& node = nodes_.at(n);
  const auto strobes = static_cast<std::int64_t>(data.size() / bytes_per_datum(width_bits_));
  DecodedRecord record;
  std::uint8_t event = 0;
  if (decodes_ && decode_burst(data, width_bits_, record, catalogue_)) {
    event = static_cast<std::uint8_t>(index(record.event.type) + 1);
    node.now = after(node, record.event);
    if (catalogue_.row(record.event.type).point == Point::syscall_entry) node.call = node.now;
  }
  const Time start = first - node.datum_cost;
  if (values_ || node.emissions.empty()) node.emissions.emplace_back();
  Emission& e = node.emissions.back();
  e.start = start;
  e.first = first;
  e.spacing = spacing;
  e.strobes = strobes;
  e.event = event;
  e.then = node.now;
  e.data.assign(data.begin(), data.end());
  if (values_ && node.emissions.size() == 1) next_.push({start, n});
}

// Emissions under way are processed again from their begin, which gives the values at `from`.
void NodeWaves::begin(Time from, Time to) {
  to_ = to;
  values_.emplace(signals_, wanted_, from);
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    values_->set(state(n), static_cast<std::uint64_t>(Activity::absent));
    values_->set(event(n), 0);
    if (!nodes_[n].emissions.empty()) next_.push({nodes_[n].emissions.front().start, n});
  }
}

void NodeWaves::advance(Time until) {
  until = std::min(until, to_);
  while (!next_.empty() && next_.top().time < until) {
    const Next now = next_.top();
    next_.pop();
    values_->go_to(std::max(now.time, values_->now()));
    step(now.node, now.time);
  }
  values_->go_to(std::max(until, values_->now()));
}

// Each datum takes two writes to the port: its data, and io_write later its strobe. Where strobes are nearer to each
// other, which no CPU can do, the data change with the strobe.
Time NodeWaves::time_of(const Emission& e, std::int64_t step) {
  if (step > 2 * e.strobes) return e.start + e.spacing * e.strobes;
  const std::int64_t i = (step - 1) / 2;
  const Time strobe = e.first + e.spacing * i;
  const Time room = i == 0 ? e.first - e.start : e.spacing;
  return step % 2 == 1 && room > io_write ? strobe - io_write : strobe;
}

// One change of a node: the begin of its emission, one of the two writes of a datum, or the emission's end.
void NodeWaves::step(std::uint32_t n, Time now) {
  Node& node = nodes_[n];
  const Emission& e = node.emissions.front();
  const std::int64_t done = node.step++;
  if (done == 0) {
    values_->set(state(n), static_cast<std::uint64_t>(Activity::emitting));
    values_->set(event(n), e.event);
  } else if (done <= 2 * e.strobes) {
    for (const std::uint32_t strobe : {node.port, node.slot})
      if (done % 2 == 0)
        values_->mark(strobe);
      else
        values_->set(strobe + 1, datum(e.data, static_cast<std::size_t>(done / 2), width_bits_));
  } else {
    values_->set(state(n), static_cast<std::uint64_t>(e.then));
    values_->set(event(n), 0);
    node.emissions.pop_front();
    node.step = 0;
    if (!node.emissions.empty()) next_.push({std::max(now, node.emissions.front().start), n});
    return;
  }
  next_.push({time_of(e, done + 1), n});
}

} // namespace hypermon
