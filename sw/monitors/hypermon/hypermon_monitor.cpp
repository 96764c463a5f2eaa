// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/hypermon_monitor.hpp"
#include "base/recording.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/monitors/hypermon/hardware_report.hpp"
#include "sw/monitors/hypermon/result_keys.hpp"
#include "sw/monitors/report.hpp"

#include <algorithm>

namespace hypermon {

namespace {

/// Passes events to the checker and adds them to the statistics.
class Counting : public DecoderSink {
public:
  Counting(DecoderSink& next, EventStatistics& statistics, Time window)
      : next_(next), statistics_(statistics), window_(window) {}
  void event(const DecodedEvent& e) override {
    statistics_.add(e, window_ * static_cast<std::int64_t>(e.first_window));
    next_.read_until(read_end(), strobed_before());
    next_.event(e);
  }
  void damaged(const DamagedSpan& span) override {
    next_.read_until(read_end(), strobed_before());
    next_.damaged(span);
  }

private:
  DecoderSink& next_;
  EventStatistics& statistics_;
  Time window_; // window of the board
};

} // namespace

/// The program on a board's I/O node, which decodes the frames to the nodes' events.
class HypermonMonitor::BoardTrace : public FrameSink {
public:
  BoardTrace(HypermonMonitor& monitor, const Spec& spec, std::size_t board, const std::string& directory)
      : info_(frame_file_info(spec, board, monitor.chain_->first_node(board))), timing_(info_.timing(monitor.stalls_)) {
    DecoderSink* sink = &monitor.checker_;
    if (monitor.statistics_) {
      counting_ = std::make_unique<Counting>(monitor.checker_, *monitor.statistics_, timing_.window());
      sink = counting_.get();
    }
    decoder_ =
        std::make_unique<FrameDecoder>(monitor.chain_->first_node(board), info_.format(), timing_, *sink,
                                       info_.wrap_frames, spec.get<EcbSection>().reset_skew_ns, monitor.catalogue_);
    if (spec.get<DrainParams>().keep_frames)
      file_ = std::make_unique<FrameFileWriter>(directory + "/board" + std::to_string(board) + ".hmf", info_);
  }
  void frames(std::span<const DeliveredFrame> frames) override {
    for (const DeliveredFrame& f : frames) {
      rate_.add(f);
      if (file_) file_->write(f.frame);
      decoder_->push({&f, 1});
    }
  }
  void stretch(const Stretch& stretch) override {
    if (!decoder_->reads_runs(stretch)) return frames(stretch.frames());
    rate_.add(stretch);
    if (file_)
      for (const DeliveredFrame& f : stretch.frames()) file_->write(f.frame);
    decoder_->push_runs(stretch);
  }
  void restart(Time origin) { decoder_->restart(origin); }
  void finish() {
    decoder_->finish();
    if (file_) file_->close();
  }
  const FrameDecoder& decoder() const { return *decoder_; }
  const FrameRate& rate() const { return rate_; }
  Time window() const { return timing_.window(); }
  std::int64_t data_per_word() const { return hypermon::data_per_word(info_.width_bits, info_.accumulate_bits); }

private:
  FrameFileInfo info_;
  StreamTiming timing_;
  FrameRate rate_;
  std::unique_ptr<Counting> counting_;
  std::unique_ptr<FrameDecoder> decoder_;
  std::unique_ptr<FrameFileWriter> file_;
};

HypermonMonitor::HypermonMonitor(const Spec& spec, const std::vector<NodeClock>& clocks,
                                 std::unique_ptr<CaptureChain> chain, const Options& options)
    : catalogue_(read_catalogue(spec.get<InstrumentationParams>().catalogue)), discard_(options.discard_at_port),
      stalls_(stalls(spec)), nibbles_per_datum_(static_cast<std::uint32_t>(spec.get<PortParams>().width_bits / 4)),
      directory_(options.directory),
      checker_(static_cast<std::uint32_t>(clocks.size()), spec.get<EcbSection>().window_ns, nibbles_per_datum_, stalls_,
               catalogue_),
      causes_(checker_), erb_(spec.get<ErbParams>()), reduction_(spec.get<DrainParams>().reduction),
      chain_(std::move(chain)), sinks_(options.sinks) {
  checker_.set_fates(options.fates);
  chain_->may_lag(options.cut.lag());
  if (const auto most = options.cut.most_in_memory()) {
    chain_->keep_in_memory(*most);
    checker_.keep_in_memory(*most);
  }
  chain_->observe(
      {[this](NodeId node, const Loss& loss) { checker_.lost(node, loss.sequence, causes_.id(loss)); },
       [this](NodeId node, const Fault& fault) {
         const CauseId cause = causes_.id(fault);
         ++faults_.at(static_cast<std::size_t>(fault.kind));
         if (is_loss(fault.kind)) silence(node, fault.sequence);
         is_loss(fault.kind) ? checker_.lost(node, fault.sequence, cause)
                             : checker_.falsified(node, fault.sequence, cause);
       },
       [this](std::size_t board, Time edge) { reset(board, edge); },
       [this](NodeId node, Time strobe) { written(node, strobe); },
       [this](std::size_t board, Time at) {
         for (BurstSink* sink : sinks_) sink->message_sent(board, at);
       },
       [this](NodeId node, std::uint64_t sequence) { checker_.lost(node, sequence, causes_.lost_in_board); }});
  for (const NodeClock& clock : clocks) {
    Port port;
    port.clock = clock;
    port.datum_cost = datum_cost(spec.get<PortParams>(), clock);
    port.pitch = datum_pitch(spec.get<PortParams>(), clock);
    ports_.push_back(port);
  }
  if (spec.get<DrainParams>().reduction == Reduction::statistics)
    statistics_.emplace(spec.get<DrainParams>().statistics_period_ms, catalogue_,
                        options.cut.most_in_memory().value_or(1 << 15));
  for (std::size_t b = 0; b < chain_->boards(); ++b) {
    traces_.push_back(std::make_unique<BoardTrace>(*this, spec, b, directory_));
    chain_->deliver_to(b, traces_.back().get());
    const std::uint32_t first = index(chain_->first_node(b));
    for (std::uint32_t n = first; n < first + chain_->nodes_of(b); ++n) connect(NodeId{n}, *traces_.back());
  }
}

HypermonMonitor::~HypermonMonitor() = default;

void HypermonMonitor::connect(NodeId node, const BoardTrace& trace) {
  Port& port = ports_[index(node)];
  port.line = chain_->line(node);
  port.first_word = port.pitch * (trace.data_per_word() - 1);
  checker_.set_window(node, trace.window());
}

void HypermonMonitor::reset(std::size_t board, Time edge) {
  traces_[board]->restart(edge);
  const std::uint32_t first = index(chain_->first_node(board));
  for (std::uint32_t n = first; n < first + chain_->nodes_of(board); ++n) checker_.restart(NodeId{n}, edge);
}

// The record as bytes: the data of a port that is wider than a nibble.
std::span<const std::uint8_t> HypermonMonitor::as_bytes(const HardwareRecord& record) {
  for (std::size_t i = 0; i < record.count / 2; ++i)
    bytes_[i] = static_cast<std::uint8_t>(record.nibbles[2 * i] | record.nibbles[2 * i + 1] << 4);
  return std::span(bytes_).first(record.count / 2);
}

std::optional<Time> HypermonMonitor::emit(const Emission& e) {
  Port& port = ports_[index(e.node)];
  const std::int64_t start_us = port.clock.read_us(e.start);
  const auto delta = port.data == 0 ? no_previous_event : static_cast<std::uint16_t>(start_us - port.last_start_us);
  port.last_start_us = start_us;
  const HardwareRecord record = encode_hardware(e.event, delta, catalogue_);
  const std::uint32_t data = record.count / nibbles_per_datum_;
  if (!discard_) {
    const Time first = e.start + port.datum_cost;
    const auto stamp = port.line.stamp(first + port.first_word);
    EmittedEvent& emitted = checker_.emitted(e.node, record.count, {stamp.window, stamp.origin});
    emitted.node = e.node;
    emitted.event = e.event;
    emitted.delta_us = delta;
    emitted.first_sequence = port.data;
    emitted.start = e.start;
    emitted.first_strobe = first;
    emitted.message = e.message;
    emitted.side = e.side;
    port.expected_strobe = first + port.pitch * (data - 1);
    port.silent = 0;
    port.silent_until = 0;
    const auto written = nibbles_per_datum_ == 1 ? record.data() : as_bytes(record);
    for (BurstSink* sink : sinks_) sink->add(e.node, first, port.pitch, written, e.message, e.side);
    chain_->write(port.line, first, port.pitch, written, true);
  }
  port.data += data;
  if (stalls_ && !discard_) return std::nullopt;
  return port.pitch * data;
}

void HypermonMonitor::silence(NodeId node, std::uint64_t datum) {
  Port& port = ports_[index(node)];
  port.silent = datum == port.silent_until ? port.silent + 1 : 1;
  port.silent_until = datum + 1;
}

// The node's loop continues after its delay. It writes data whose strobes are lost like all others, because nothing
// stalls them.
void HypermonMonitor::written(NodeId node, Time strobe) {
  Port& port = ports_[index(node)];
  const std::uint32_t unseen = port.silent_until == port.data ? port.silent : 0; // last data, lost before the board
  const Time seen = port.expected_strobe - port.pitch * unseen;
  const Time held = std::max(strobe - seen, 0_ps); // negative if the board has seen nothing of this write
  port.held += held;
  emission_done(node, port.expected_strobe + held + port.pitch - port.datum_cost);
}

void HypermonMonitor::advance(Time now) {
  for (BurstSink* sink : sinks_) sink->advance(now);
  chain_->drain_to(now);
}

void HypermonMonitor::finish(Time program_end) {
  for (BurstSink* sink : sinks_) sink->close(program_end);
  chain_->program_ends(program_end);
  chain_->finish();
  for (auto& trace : traces_) trace->finish();
  chain_->for_each_accumulating([this](NodeId node, std::uint64_t data) {
    for (std::uint64_t i = data; i > 0; --i) checker_.lost(node, ports_[index(node)].data - i, causes_.incomplete_word);
  });
  checker_.finish();
  if (statistics_) statistics_->write(directory_ + "/statistics.csv");
}

void HypermonMonitor::report(Results& results, Time begin, Time end) const {
  results.set(reported_keys.logged_bytes, chain_->bytes_read());

  Ledger ledger("nibbles");
  ledger.generated = {checker_.generated_nibbles(), checker_.generated_events()};
  const std::uint64_t garbage = chain_->garbage_nibbles();
  ledger.delivered = {checker_.delivered_nibbles() - garbage, checker_.delivered_events()};
  ledger.in_flight = {0, checker_.in_flight_events()}; // the run continued until no data were left in the hardware
  for (const TraceLoss& l : checker_.losses()) ledger.lost.push_back({l.stage, l.cause, {l.nibbles, l.events}});
  results.set(ledger_values(ledger));

  std::uint64_t ambiguous = 0;
  std::uint64_t impossible = 0;
  for (const auto& trace : traces_) {
    ambiguous += trace->decoder().ambiguous().count;
    impossible += trace->decoder().impossible().count;
  }
  Time held;
  for (const Port& port : ports_) held += port.held;
  results.set(values_of(chain_->counts()));
  results.set({hypermon_keys.spurious_events(checker_.spurious()), hypermon_keys.falsified_events(checker_.falsified()),
               hypermon_keys.garbage_nibbles(garbage), hypermon_keys.ambiguous_silences(ambiguous),
               hypermon_keys.impossible_frames(impossible), hypermon_keys.held_s(held)});
  results.set(drain_values(*chain_, reduction_));
  if (const auto contention = chain_->contention()) results.set(values_of(*contention));
  add_erb(erb_, faults_, results);
  add_own_boards(*chain_, results);

  results.set(values_of(reported_keys.latency_us, checker_.latency()));
  results.set(values_of(reported_keys.timestamp_error_us, checker_.timestamp_error()));
  results.set(reported_keys.causality_violations, checker_.causality().violations());
  std::vector<const FrameRate*> rates;
  for (const auto& trace : traces_) rates.push_back(&trace->rate());
  results.set(rate_values(rates, begin, end));
}

} // namespace hypermon
