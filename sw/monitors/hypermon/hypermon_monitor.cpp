#include "sw/monitors/hypermon/hypermon_monitor.hpp"
#include "sw/monitors/report.hpp"

namespace hypermon {

namespace {

double nominal_pitch_ns(const PortParams& port) {
  return port.nibble_cost_ns + static_cast<double>(port.delay) * port.delay_iteration_ns;
}

} // namespace

HypermonMonitor::HypermonMonitor(const Spec& spec, std::vector<NodeClock> clocks, bool discard_at_port)
    : discard_(discard_at_port), checker_(static_cast<std::uint32_t>(clocks.size()), Time::from_ns(spec.ecb.window_ns),
                                          Time::from_ns(spec.erb.propagation_ns)),
      timing_(spec.ecb.window_ns, nominal_pitch_ns(spec.port), spec.node.clock_resolution_ns),
      frame_rate_(Time::from_ns(spec.ecb.window_ns)), chain_(spec, [this](NodeId node, const Loss& loss) {
        checker_.lost(node, loss.sequence, causes_[static_cast<std::size_t>(loss.cause)]);
      }) {
  causes_ = {checker_.add_cause("strobe_input", "aliasing"),
             checker_.add_cause("node_fifo", "overrun"),
             checker_.add_cause("strobe_vector_fifo", "window_lost"),
             checker_.add_cause("frame_fifo", "overrun"),
             checker_.add_cause("board", "reset"),
             checker_.add_cause("pbx", "bus_error"),
             checker_.add_cause("io_node", "memory_full")};
  for (const NodeClock& clock : clocks) {
    Port port;
    port.clock = clock;
    port.nibble_cost = clock.stretch(Time::from_ns_rounded(spec.port.nibble_cost_ns));
    port.pitch = clock.stretch(Time::from_ns_rounded(nominal_pitch_ns(spec.port)));
    ports_.push_back(port);
  }
  traces_.reserve(chain_.boards());
  for (std::size_t b = 0; b < chain_.boards(); ++b) {
    traces_.emplace_back(
        FrameDecoder(chain_.first_node(b), chain_.board(b).format(), timing_, checker_, spec.ecb.wrap_frames),
        frame_rate_);
    chain_.deliver_to(b, &traces_.back());
  }
}

std::optional<Time> HypermonMonitor::emit(const Emission& e) {
  Port& port = ports_[index(e.node)];
  const std::int64_t start_us = port.clock.read(e.start).ps() / (1_us).ps();
  const auto delta = port.nibbles == 0 ? no_previous_event : static_cast<std::uint16_t>(start_us - port.last_start_us);
  port.last_start_us = start_us;
  const HardwareRecord record = encode_hardware(e.event, delta);
  if (!discard_) {
    const Time first = e.start + port.nibble_cost;
    checker_.emitted({e.node, e.event, delta, port.nibbles, e.start, first, e.message, e.side});
    chain_.write(e.node, first, port.pitch, record.data(), true);
  }
  port.nibbles += record.count;
  return port.pitch * record.count;
}

void HypermonMonitor::advance(Time now) { chain_.drain_to(now); }

void HypermonMonitor::finish() {
  chain_.finish();
  for (auto& trace : traces_) trace.finish();
  checker_.finish();
}

void HypermonMonitor::BoardTrace::frames(std::span<const DeliveredFrame> frames) {
  for (const DeliveredFrame& f : frames) {
    rate_.add(decoder_.window_of_next(f.frame));
    decoder_.push({&f, 1});
  }
}

void HypermonMonitor::BoardTrace::stretch(const Stretch& stretch) {
  rate_.add(stretch);
  decoder_.push_runs(stretch);
}

void HypermonMonitor::report(nlohmann::ordered_json& result, Time begin, Time end) const {
  const Counts c = chain_.counts();
  const std::uint64_t frame_bytes = 4 * chain_.board(0).format().words();
  result["logged_bytes"] = c.drained * frame_bytes;

  Ledger ledger("nibbles");
  ledger.generated = {checker_.generated_nibbles(), checker_.generated_events()};
  ledger.delivered = {checker_.delivered_nibbles(), checker_.delivered_events()};
  ledger.in_flight = {0, checker_.in_flight_events()}; // the run went on until nothing was left inside
  for (const TraceLoss& l : checker_.losses()) ledger.lost.push_back({l.stage, l.cause, {l.nibbles, l.events}});
  result["ledger"] = to_json(ledger);

  nlohmann::ordered_json m;
  m["frames"] = {{"built", c.frames_built},
                 {"lost", c.frames_lost},
                 {"merged", c.merged},
                 {"drained", c.drained},
                 {"peak_occupancy", c.peak_frame_fifo}};
  m["overrun"] = c.frames_lost > 0;
  m["first_overrun_s"] = c.first_overrun ? nlohmann::ordered_json(c.first_overrun->seconds()) : nullptr;
  m["strobes"] = c.strobes;
  m["aliasing"] = c.aliasing;
  m["node_overruns"] = c.node_overruns;
  m["windows_lost"] = c.windows_lost;
  m["discarded"] = c.discarded;
  m["end_s"] = c.end.seconds();
  m["spurious_events"] = checker_.spurious();
  result["monitor"] = std::move(m);

  result["latency_us"] = latency_to_json(checker_.latency());
  result["timestamp_error_us"] = to_json(checker_.timestamp_error());
  result["causality_violations"] = checker_.causality().violations();
  constexpr std::size_t intervals = 100; // HYPERMON figures 10 to 13
  result["rates"] = {{"interval_s", (end - begin).seconds() / intervals},
                     {"frames", frame_rate_.divide(begin, end, intervals)}};
}

} // namespace hypermon
