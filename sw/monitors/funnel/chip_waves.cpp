// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/funnel/chip_waves.hpp"
#include "base/spec.hpp"
#include "sw/monitors/funnel/chips.hpp"

#include <algorithm>
#include <bit>

namespace hypermon {

namespace {

unsigned bits_for(std::uint64_t most) { return std::max(1U, static_cast<unsigned>(std::bit_width(most))); }

/// Number of funnels in the subtree, root included.
std::size_t funnels_of(const TraceFunnelDesign& design) {
  const auto inputs = static_cast<std::size_t>(design.link.inputs);
  std::size_t all = 0;
  std::size_t level = design.sources.size();
  do all += level = (level + inputs - 1) / inputs;
  while (level > 1);
  return all;
}

/// The signals of one chip, in their order: those of each source, those of each funnel, then the others.
enum OfSource : std::uint32_t { written, fifo_bytes, link_words, held, overflowing, of_source };
enum OfFunnel : std::uint32_t { fifo_words, granted, of_funnel };
enum OfChip : std::uint32_t {
  flushing,
  frame_bytes_signal,
  sink_bytes,
  reading,
  blackout,
  first_loss,
  of_chip = first_loss + trace_loss_causes
};

void add_signals(std::vector<Signal>& all, const TraceFunnelDesign& design, std::size_t chip) {
  using Kind = Signal::Kind;
  const std::string own = "chip" + std::to_string(chip) + ".";
  for (std::size_t i = 0; i < design.sources.size(); ++i) {
    const TraceSourceParams& source = design.sources[i];
    const std::string path = own + "source" + std::to_string(i) + ".";
    all.push_back({path + "written", Kind::event, 1});
    all.push_back({path + "fifo_bytes", Kind::level, bits_for(static_cast<std::uint64_t>(source.fifo_bytes.number))});
    all.push_back({path + "link_words", Kind::level, bits_for(static_cast<std::uint64_t>(source.link_words))});
    all.push_back({path + "held", Kind::value, 1});
    all.push_back({path + "overflowing", Kind::value, 1});
  }
  std::vector<std::string> inputs{"none"};
  for (std::int64_t i = 0; i < design.link.inputs; ++i) inputs.push_back("input " + std::to_string(i));
  for (std::size_t i = 0; i < funnels_of(design); ++i) {
    const std::string path = own + "funnel" + std::to_string(i) + ".";
    all.push_back({path + "fifo_words", Kind::level, bits_for(static_cast<std::uint64_t>(design.link.fifo_words))});
    all.push_back({path + "granted", Kind::state, bits_for(inputs.size() - 1), inputs});
  }
  all.push_back({own + "flushing", Kind::value, 1});
  all.push_back({own + "formatter.frame_bytes", Kind::level, 4});
  all.push_back(
      {own + "sink.bytes", Kind::level, bits_for(static_cast<std::uint64_t>(design.sink.buffer_bytes.number))});
  all.push_back({own + "sink.reading", Kind::value, 1});
  all.push_back({own + "sink.blackout", Kind::value, 1});
  for (const std::string_view cause : trace_loss_names)
    all.push_back({own + "loss." + std::string(cause), Kind::event, 1});
}

} // namespace

std::vector<Signal> chip_signals(const Spec& spec) {
  std::vector<Signal> all;
  for (std::size_t c = 0; c < chips_of(spec); ++c) add_signals(all, design_of(spec, c), c);
  return all;
}

/// Translates the probe's reports to changes of the file's signals.
class ChipWaves::Chip final : public TraceProbe {
public:
  Chip(ChipWaves& waves, std::uint32_t first, std::size_t sources, std::size_t funnels)
      : waves_(waves), first_(first), funnels_(first + of_source * static_cast<std::uint32_t>(sources)),
        rest_(funnels_ + of_funnel * static_cast<std::uint32_t>(funnels)) {}

  void written(std::uint32_t source, Time time, std::size_t) override {
    waves_.saw(time, first_ + of_source * source + OfSource::written, 1);
  }
  void changed(Time time, const TraceFunnelState& state) override {
    std::uint32_t signal = first_ + 1;
    for (const TraceFunnelState::Source& s : state.sources) {
      waves_.saw(time, signal, s.fifo_bytes);
      waves_.saw(time, signal + 1, s.link_words);
      waves_.saw(time, signal + 2, s.held > 0 ? 1 : 0);
      waves_.saw(time, signal + 3, s.overflowing ? 1 : 0);
      signal += of_source;
    }
    signal = funnels_;
    for (const TraceFunnelState::Funnel& f : state.funnels) {
      waves_.saw(time, signal, f.fifo_words);
      waves_.saw(time, signal + 1, static_cast<std::uint64_t>(f.granted + 1));
      signal += of_funnel;
    }
    waves_.saw(time, rest_ + flushing, state.flushing ? 1 : 0);
    waves_.saw(time, rest_ + frame_bytes_signal, state.frame_bytes);
    waves_.saw(time, rest_ + sink_bytes, state.sink_bytes);
    waves_.saw(time, rest_ + reading, state.reading ? 1 : 0);
    waves_.saw(time, rest_ + blackout, state.blackout ? 1 : 0);
  }
  void lost(const LostTrace& loss) {
    waves_.saw(loss.time, rest_ + first_loss + static_cast<std::uint32_t>(loss.cause), 1);
  }

private:
  ChipWaves& waves_;
  std::uint32_t first_;
  std::uint32_t funnels_;
  std::uint32_t rest_;
};

ChipWaves::ChipWaves(const Spec& spec, ChipTraces& traces, const std::string& path, Time from, Time to)
    : vcd_(path, chip_signals(spec), std::vector<bool>(chip_signals(spec).size(), true)), from_(from), to_(to),
      signals_(chip_signals(spec)), values_(signals_.size()) {
  std::uint32_t first = 0;
  for (std::size_t c = 0; c < chips_of(spec); ++c) {
    const TraceFunnelDesign design = design_of(spec, c);
    const std::size_t funnels = funnels_of(design);
    chips_.push_back(std::make_unique<Chip>(*this, first, design.sources.size(), funnels));
    first += static_cast<std::uint32_t>(of_source * design.sources.size() + of_funnel * funnels + of_chip);
    traces.watch(c, chips_.back().get(), [chip = chips_.back().get()](const LostTrace& loss) { chip->lost(loss); });
  }
}

ChipWaves::~ChipWaves() = default;

// The chips were advanced one after the other, so their changes must be sorted by time.
void ChipWaves::advance(Time horizon) {
  std::ranges::stable_sort(seen_, {}, &Seen::time);
  const auto later = std::ranges::find_if(seen_, [&](const Seen& s) { return s.time >= horizon; });
  for (auto seen = seen_.begin(); seen != later; ++seen) write(*seen);
  seen_.erase(seen_.begin(), later);
}

// Writes the initial values of the signals. Event signals have none.
void ChipWaves::begin() {
  begun_ = true;
  std::vector<Change> all;
  for (std::uint32_t i = 0; i < signals_.size(); ++i)
    if (signals_[i].kind != Signal::Kind::event) all.push_back({from_, i, true, values_[i]});
  vcd_.write(all);
}

void ChipWaves::write(const Seen& seen) {
  if (seen.time >= to_) return;
  const bool event = signals_[seen.signal].kind == Signal::Kind::event;
  if (!begun_ && seen.time >= from_) begin();
  if (!event && values_[seen.signal] == seen.value) return;
  if (!event) values_[seen.signal] = seen.value;
  if (!begun_) return;
  const Change change{seen.time, seen.signal, true, seen.value};
  vcd_.write({&change, 1});
}

std::vector<std::uint64_t> ChipWaves::close() {
  advance(Time::never());
  if (!begun_) begin();
  vcd_.close(to_);
  return vcd_.transitions();
}

} // namespace hypermon
