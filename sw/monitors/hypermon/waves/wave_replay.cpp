// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/waves/wave_replay.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/instrumentation/record.hpp"
#include "sw/monitors/hypermon/waves/module_signals.hpp"
#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace hypermon {

namespace {

/// The signals of the file by part, and the numbers of each part's signals in the file.
struct Layout {
  std::vector<Signal> all;
  std::vector<std::uint32_t> of_nodes;
  std::vector<std::vector<std::uint32_t>> of_boards;

  explicit Layout(const Spec& spec) {
    const std::vector<Signal> nodes = NodeWaves::signals(spec);
    const auto take = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) add(nodes[i], of_nodes);
    };
    const auto ranks = 2 * static_cast<std::size_t>(spec.nodes);
    take(0, ranks);
    std::size_t port = ranks; // a board's ports and its backplane precede its other signals
    for (const BoardShape& shape : shapes_of(spec)) {
      const std::size_t end = port + NodeWaves::board_signals_per_node * shape.inputs;
      take(port, end);
      port = end;
      of_boards.emplace_back();
      const BoardSignals board(shape);
      for (const Signal& signal : board.all()) add(signal, of_boards.back());
    }
  }

private:
  void add(const Signal& signal, std::vector<std::uint32_t>& numbers) {
    numbers.push_back(static_cast<std::uint32_t>(all.size()));
    all.push_back(signal);
  }
};

std::vector<bool> pick(const std::vector<bool>& wanted, const std::vector<std::uint32_t>& numbers) {
  std::vector<bool> own;
  for (const std::uint32_t number : numbers) own.push_back(wanted.at(number));
  return own;
}

constexpr Time step_unwatched = 100_ms;
constexpr Time step_watched = 1_ms; // short, so that few changes must be kept until they can be written in order

} // namespace

std::vector<Signal> signals_of(const Spec& spec) {
  return has_waves_of_replays(spec) ? Layout(spec).all : ModuleLayout(spec).all;
}

FedChain::FedChain(const Spec& spec) : chain_(spec, catalogue_size(spec)) {
  chain_.keep_groups(); // the reader's polls are part of the waves
  for (std::uint32_t n = 0; n < static_cast<std::uint32_t>(spec.nodes); ++n) lines_.push_back(chain_.line(NodeId{n}));
  for (std::size_t b = 0; b < chain_.boards(); ++b) chain_.deliver_to(b, &nobody_);
}

void FedChain::write(const PortBurst& burst) {
  if (burst.node >= lines_.size()) throw std::invalid_argument("no such node");
  chain_.write(lines_[burst.node], burst.first, burst.spacing, burst.data, true);
}

// --- waves ---

WaveReplay::WaveReplay(const Spec& spec, std::string path, const std::vector<bool>& wanted)
    : spec_(spec), path_(std::move(path)), wanted_(wanted), fed_(spec),
      nodes_(spec, pick(wanted, Layout(spec).of_nodes)), node_numbers_(Layout(spec).of_nodes) {
  const auto inputs = static_cast<std::uint32_t>(spec.get<EcbSection>().inputs);
  fed_.chain().observe(
      {[this, inputs](NodeId node, Loss loss) {
         loss.input = index(node) % inputs;
         if (attached_) boards_[index(node) / inputs].waves->lost(loss);
       },
       [this, inputs](NodeId node, const Fault& fault) { faults_.emplace_back(index(node) / inputs, fault); },
       [](std::size_t, Time) {},
       [](NodeId, Time) {},
       {}});
}

void WaveReplay::window(Time from, Time to) {
  from_ = from;
  to_ = to;
  const Layout layout(spec_);
  writer_ = std::make_unique<VcdWriter>(path_, layout.all, wanted_);
  for (std::size_t b = 0; const BoardShape& shape : shapes_of(spec_)) {
    const auto& numbers = layout.of_boards[b++];
    boards_.push_back({std::make_unique<BoardWaves>(shape, pick(wanted_, numbers), from, to), numbers});
  }
}

void WaveReplay::add(const BurstRows& rows) {
  if (!done_) each_burst(order_, rows, [this](const PortBurst& burst) { return add(burst); });
}

bool WaveReplay::add(const PortBurst& burst) {
  reached(burst.first);
  if (done_) return true;
  fed_.write(burst);
  nodes_.burst(burst.node, burst.first, burst.spacing, burst.data);
  return false;
}

void WaveReplay::message_sent(std::size_t board, Time at) {
  reached(at);
  if (!done_) fed_.chain().message_sent(board, at);
}

void WaveReplay::reached(Time time) {
  time = std::min(time, fed_.chain().program_end()); // later events may be incomplete
  if (!attached_ && time >= from_) {
    drain_to(from_);
    attach();
  }
  done_ = time >= to_ && time - to_ >= nodes_.lead();
  if (time < next_ && !done_) return;
  drain_to(std::min(time, to_));
  if (attached_) write_before(std::min(time - nodes_.lead(), to_));
  next_ = time + (attached_ ? step_watched : step_unwatched);
}

void WaveReplay::attach() {
  attached_ = true;
  next_ = 0_ps;
  nodes_.begin(from_, to_);
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    boards_[b].waves->begin(fed_.chain().board(b));
    fed_.chain().attach(b, boards_[b].waves.get());
  }
}

// Faults are reported when a burst is written, before they happen.
void WaveReplay::drain_to(const Time horizon) {
  if (attached_)
    for (const auto& [board, fault] : std::exchange(faults_, {})) boards_[board].waves->fault(fault);
  else
    std::erase_if(faults_, [&](const auto& fault) { return fault.second.time < horizon; });
  fed_.chain().drain_to(horizon);
}

// Advances in steps, because timestamps change during silence as well.
void WaveReplay::write_before(const Time horizon) {
  for (written_ = std::max(written_, from_); written_ < horizon;) {
    written_ = std::min(horizon, written_ + step_watched);
    merged_.clear();
    nodes_.advance(written_);
    take(nodes_.changes(), node_numbers_);
    for (const Part& board : boards_) {
      board.waves->advance(written_);
      take(board.waves->changes(), board.numbers);
    }
    writer_->write(merged_);
  }
}

// Boards may be ahead of the written time.
void WaveReplay::take(std::vector<Change>& changes, const std::vector<std::uint32_t>& numbers) {
  const auto middle = std::ssize(merged_);
  const auto later =
      std::ranges::partition_point(changes, [this](const Change& change) { return change.time < written_; });
  std::for_each(changes.begin(), later, [&](Change change) {
    change.signal = numbers[change.signal];
    merged_.push_back(change);
  });
  changes.erase(changes.begin(), later);
  std::inplace_merge(merged_.begin(), merged_.begin() + middle, merged_.end(),
                     [](const Change& x, const Change& y) { return x.time < y.time; });
}

// The last rows may be long before the window, but data that are still inside can reach into it.
const std::vector<std::uint64_t>& WaveReplay::finish() {
  if (!done_) {
    if (!attached_) attach();
    drain_to(fed_.chain().board(0).horizon());
    fed_.chain().finish();
    write_before(to_);
  }
  writer_->close(to_);
  return writer_->transitions();
}

// --- search for the trigger ---

WaveTrigger wave_trigger(const Spec& spec, const std::optional<std::string>& cause, std::optional<std::uint64_t> above,
                         const std::optional<std::pair<std::uint32_t, std::string>>& event) {
  WaveTrigger trigger{{}, above, {}};
  if (cause) {
    const auto* const at = std::find(loss_cause_names.begin(), loss_cause_names.end(), *cause);
    if (at == loss_cause_names.end()) throw std::invalid_argument(*cause + ": no such cause of losses");
    trigger.cause = static_cast<LossCause>(at - loss_cause_names.begin());
  }
  if (event) {
    const auto type = read_catalogue(spec.get<InstrumentationParams>().catalogue).type_named(event->second);
    if (!type) throw std::invalid_argument(event->second + ": no such event");
    trigger.event = {event->first, *type};
  }
  return trigger;
}

class TriggerSearch::Watch : public BoardProbe {
public:
  Watch(TriggerSearch& search, std::size_t board) : search_(search), board_(board) {}
  void strobe(std::uint32_t, Time, std::uint32_t) override {}
  void changed(Time time, const BoardState& state) override {
    if (state.frame_fifo > *search_.trigger_.above) search_.found(time, true, board_);
  }

private:
  TriggerSearch& search_;
  std::size_t board_;
};

TriggerSearch::TriggerSearch(const Spec& spec, const WaveTrigger& trigger, std::optional<Time> watch_from)
    : trigger_(trigger), inputs_(static_cast<std::size_t>(spec.get<EcbSection>().inputs)),
      catalogue_(read_catalogue(spec.get<InstrumentationParams>().catalogue)),
      width_bits_(spec.get<PortParams>().width_bits), fed_(spec), watch_from_(watch_from) {
  if (trigger.above && spec.get<FaultParams>().reset_at_us > 0) watch_from_ = 0_ps; // a reset clears the peak
  fed_.chain().observe({[this](NodeId node, const Loss& loss) {
                          if (trigger_.above || trigger_.event) return;
                          if (!trigger_.cause || loss.cause == *trigger_.cause)
                            found(loss.time, true, index(node) / inputs_);
                        },
                        [](NodeId, const Fault&) {},
                        [](std::size_t, Time) {},
                        [](NodeId, Time) {},
                        {}});
}
TriggerSearch::~TriggerSearch() = default;

void TriggerSearch::found(Time time, bool exact, std::size_t board) {
  if (!found_ || time < found_->time) found_ = {time, exact, board};
}

void TriggerSearch::add(const BurstRows& rows) {
  if (!done_) each_burst(order_, rows, [this](const PortBurst& burst) { return add(burst); });
}

bool TriggerSearch::add(const PortBurst& burst) {
  if (trigger_.event) { // such a trigger does not involve the hardware
    DecodedRecord record;
    if (burst.node == trigger_.event->node && decode_burst(burst.data, width_bits_, record, catalogue_) &&
        record.event.type == trigger_.event->type) {
      found(burst.first, true, burst.node / inputs_);
      done_ = true;
    }
    return done_;
  }
  reached(burst.first);
  if (!done_) fed_.write(burst);
  return done_;
}

void TriggerSearch::message_sent(std::size_t board, Time at) {
  reached(at);
  if (!done_) fed_.chain().message_sent(board, at);
}

bool TriggerSearch::advance(Time horizon) {
  next_ = horizon;
  if (!done_ && !trigger_.event) reached(horizon);
  return done_;
}

void TriggerSearch::reached(Time time) {
  time = std::min(time, fed_.chain().program_end());
  if (watch_from_ && watches_.empty() && time >= *watch_from_) {
    fed_.chain().drain_to(*watch_from_);
    watch();
  }
  if (time < next_) return;
  fed_.chain().drain_to(time);
  look_at_peaks();
  drained_ = time;
  next_ = time + step_unwatched;
  done_ = found_.has_value();
}

void TriggerSearch::watch() {
  for (std::size_t b = 0; b < fed_.chain().boards(); ++b)
    fed_.chain().attach(b, watches_.emplace_back(std::make_unique<Watch>(*this, b)).get());
}

void TriggerSearch::look_at_peaks() {
  if (!trigger_.above || watch_from_) return;
  for (std::size_t b = 0; b < fed_.chain().boards(); ++b)
    if (fed_.chain().board(b).counts().peak_frame_fifo > *trigger_.above) found(drained_, false, b);
}

void TriggerSearch::finish() {
  if (done_) return;
  if (watch_from_ && watches_.empty()) watch();
  fed_.chain().finish();
  look_at_peaks();
  done_ = true;
}

} // namespace hypermon
