// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/stream_run.hpp"
#include "base/json.hpp"
#include "base/results.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/monitors/hypermon/hardware_report.hpp"
#include "sw/monitors/hypermon/result_keys.hpp"
#include "sw/monitors/hypermon/window_unwrapper.hpp"
#include "sw/monitors/report.hpp"

#include <bit>
#include <optional>

namespace hypermon {

/// The program on a board's I/O node: it gives the nodes' data the timestamps of their frames.
class StreamRun::BoardStream : public FrameSink {
public:
  BoardStream(BurstJudge& judge, const Spec& spec, const CoreChain& chain, std::size_t board,
              const std::string& directory)
      : judge_(judge), info_(frame_file_info(spec, board, chain.first_node(board))),
        window_(Time::from_ns(info_.window_ns)), unwrapper_(static_cast<std::size_t>(info_.timestamp_bits), window_,
                                                            info_.wrap_frames, spec.get<EcbSection>().reset_skew_ns),
        data_per_word_(data_per_word(info_.width_bits, info_.accumulate_bits)) {
    if (spec.get<DrainParams>().keep_frames)
      file_.emplace(directory + "/board" + std::to_string(board) + ".hmf", info_);
  }

  void frames(std::span<const DeliveredFrame> frames) override {
    unwrapper_.check(frames);
    for (const DeliveredFrame& f : frames) {
      const std::uint64_t window = unwrapper_.take(f.frame);
      rate_.add(f);
      if (file_) file_->write(f.frame);
      for (std::uint32_t left = f.frame.vector; left != 0; left &= left - 1)
        judge_.arrived(
            node(static_cast<std::uint32_t>(std::countr_zero(left))), data_per_word_,
            [&](std::size_t) { return stamp(window); }, [&](std::size_t) { return f.read_end; });
    }
  }
  // Stretches with timestamps that wrap, or come on request, are passed to frames(), which unwraps them.
  void stretch(const Stretch& stretch) override {
    const bool plain = info_.timestamp_bits >= 32 && !info_.on_request;
    if (!plain || file_ || stretch.end_window() - unwrapper_.next() > ~std::uint32_t{0})
      return frames(stretch.frames());
    rate_.add(stretch);
    for (const StrobeRun& run : stretch.runs())
      judge_.arrived(
          node(run.input), run.n, [&](std::size_t i) { return stamp(stretch.window(run, i)); },
          [&](std::size_t i) { return stretch.read_end(stretch.window(run, i)); });
    unwrapper_.go_to(stretch.end_window(), stretch.frame_count());
  }
  void restart(Time origin) {
    origin_ = origin;
    unwrapper_.restart(origin);
  }
  void finish() {
    if (file_) file_->close();
  }
  const FrameRate& rate() const { return rate_; }
  std::uint64_t ambiguous() const { return unwrapper_.ambiguous().count; }

private:
  NodeId node(std::uint32_t input) const { return NodeId{static_cast<std::uint32_t>(info_.first_node) + input}; }
  Time stamp(std::uint64_t window) const { return origin_ + window_ * static_cast<std::int64_t>(window); }

  BurstJudge& judge_;
  FrameFileInfo info_;
  Time window_;
  Time origin_;
  FrameRate rate_;
  WindowUnwrapper unwrapper_;
  std::size_t data_per_word_;
  std::optional<FrameFileWriter> file_;
};

StreamRun::StreamRun(const Spec& spec, const std::string& directory, const Cut& cut)
    : spec_(spec), datum_bytes_(bytes_per_datum(spec.get<PortParams>().width_bits)),
      nibbles_per_datum_(static_cast<std::uint64_t>(spec.get<PortParams>().width_bits / 4)),
      judge_(static_cast<std::uint32_t>(spec.nodes)), causes_(judge_), chain_(spec, catalogue_size(spec)), cut_(cut) {
  if (cut.delivers_ahead()) chain_.deliver_ahead();
  if (const auto most = cut.most_in_memory()) {
    chain_.keep_in_memory(*most);
    judge_.keep_in_memory(*most);
  }
  chain_.observe({[this](NodeId node, const Loss& loss) { judge_.lost(node, loss.sequence, causes_.id(loss)); },
                  [this](NodeId node, const Fault& fault) {
                    ++faults_.at(static_cast<std::size_t>(fault.kind));
                    is_loss(fault.kind) ? judge_.lost(node, fault.sequence, causes_.id(fault))
                                        : judge_.falsified(node, fault.sequence, causes_.id(fault));
                  },
                  [this](std::size_t board, Time edge) { streams_[board]->restart(edge); }, nullptr, nullptr});
  for (std::size_t b = 0; b < chain_.boards(); ++b) {
    streams_.push_back(std::make_unique<BoardStream>(judge_, spec, chain_, b, directory));
    chain_.deliver_to(b, streams_.back().get());
  }
  for (const NodeClock& clock : node_clocks(spec))
    ports_.push_back({datum_cost(spec.get<PortParams>(), clock), datum_pitch(spec.get<PortParams>(), clock),
                      chain_.line(NodeId{static_cast<std::uint32_t>(ports_.size())}), Time{}});
}

StreamRun::~StreamRun() = default;

void StreamRun::program_ends(Time at) { chain_.program_ends(program_end_ = at); }

void StreamRun::add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t, MessageSide) {
  if (index(node) >= ports_.size()) throw std::invalid_argument("no such node");
  if (data.empty() || data.size() % datum_bytes_ != 0) throw std::invalid_argument("no burst of whole data");
  Port& port = ports_[index(node)];
  if (first < port.next_from) throw std::invalid_argument("a burst that begins before the one before it has ended");
  if (first >= next_advance_ || bursts_since_advance_ == cut_.most_bursts()) {
    chain_.drain_to(first);
    next_advance_ = cut_.next(first);
    bursts_since_advance_ = 0;
  }
  ++bursts_since_advance_;
  const std::size_t n = data.size() / datum_bytes_;
  judge_.wrote(node, static_cast<std::uint32_t>(n), first - port.datum_cost, first);
  chain_.write(port.line, first, port.pitch, data, true);
  port.next_from = first + port.pitch * static_cast<std::int64_t>(n);
}

Json StreamRun::finish(const Json& recorded, const std::string& scenario, Time begin, Time end) {
  if (program_end_ == Time::never()) throw std::logic_error("a replay that was not told when the program ended");
  chain_.finish();
  for (const auto& stream : streams_) stream->finish();
  chain_.for_each_accumulating(
      [this](NodeId node, std::uint64_t data) { judge_.lost_rest(node, data, causes_.incomplete_word); });
  Json result = result_before(recorded, scenario, spec_);
  Results results(result);
  report(results, begin, end);
  add_rest(result, recorded);
  return result;
}

void StreamRun::report(Results& results, Time begin, Time end) const {
  const std::uint64_t nibbles = nibbles_per_datum_;
  results.set(reported_keys.logged_bytes, chain_.bytes_read());

  Ledger ledger("nibbles");
  ledger.generated = {judge_.generated_data() * nibbles, judge_.generated_bursts()};
  ledger.delivered = {judge_.delivered_data() * nibbles, judge_.delivered_bursts()};
  ledger.in_flight = {0, judge_.in_flight_bursts()}; // the run continued until no data were left in the hardware
  for (const TraceLoss& l : judge_.losses()) ledger.lost.push_back({l.stage, l.cause, {l.nibbles * nibbles, l.events}});
  results.set(ledger_values(ledger));

  std::uint64_t ambiguous = 0;
  for (const auto& stream : streams_) ambiguous += stream->ambiguous();
  results.set(values_of(chain_.counts()));
  // There is no decoder, so that no data can be taken for an event.
  results.set({hypermon_keys.spurious_events(0), hypermon_keys.falsified_events(judge_.falsified_bursts()),
               hypermon_keys.garbage_nibbles(0), hypermon_keys.ambiguous_silences(ambiguous),
               hypermon_keys.impossible_frames(0), hypermon_keys.held_s(0.0)});
  results.set(drain_values(chain_, spec_.get<DrainParams>().reduction));
  add_erb(spec_.get<ErbParams>(), faults_, results);

  results.set(values_of(reported_keys.latency_us, judge_.latency()));
  results.set(values_of(reported_keys.timestamp_error_us, judge_.timestamp_error()));
  results.set(reported_keys.causality_violations, 0); // a stream has no messages
  std::vector<const FrameRate*> rates;
  for (const auto& stream : streams_) rates.push_back(&stream->rate());
  results.set(rate_values(rates, begin, end));
}

} // namespace hypermon
