#include "waves/wave_replay.hpp"
#include <algorithm>
#include <stdexcept>

namespace hypermon {

namespace {

std::vector<BoardShape> shapes_of(const Spec& spec) {
  std::vector<BoardShape> shapes;
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  for (std::size_t b = 0; b < spec.boards(); ++b) {
    const EcbParams ecb = spec.ecb_of(b);
    const auto inputs = static_cast<std::size_t>(ecb.inputs);
    shapes.push_back({"board" + std::to_string(b), std::min(inputs, nodes - b * inputs),
                      static_cast<std::uint32_t>(spec.port.width_bits), ecb, spec.pbx});
  }
  return shapes;
}

} // namespace

std::vector<Signal> signals_of(const Spec& spec) {
  std::vector<Signal> all;
  for (const BoardShape& shape : shapes_of(spec)) {
    const BoardSignals signals(shape);
    all.insert(all.end(), signals.all().begin(), signals.all().end());
  }
  return all;
}

FedChain::FedChain(const Spec& spec) : chain_(spec) {
  for (std::uint32_t n = 0; n < static_cast<std::uint32_t>(spec.nodes); ++n) lines_.push_back(chain_.line(NodeId{n}));
}

void FedChain::write(const BurstRows& rows, std::size_t i) {
  if (rows.node[i] >= lines_.size()) throw std::invalid_argument("no such node");
  const auto begin = static_cast<std::size_t>(rows.offsets[i]);
  const auto end = static_cast<std::size_t>(rows.offsets[i + 1]);
  chain_.write(lines_[rows.node[i]], Time::from_ps(rows.first_ps[i]), Time::from_ps(rows.spacing_ps[i]),
               rows.data.subspan(begin, end - begin), true);
}

// --- waves ---

namespace {
constexpr Time step_unwatched = 100_ms;
constexpr Time step_watched = 1_ms; // so that little has to be kept until it can be written in order
} // namespace

WaveReplay::WaveReplay(const Spec& spec, const std::string& path, Time from, Time to, const std::vector<bool>& wanted)
    : from_(from), to_(to), fed_(spec), writer_(path, signals_of(spec), wanted) {
  std::size_t first = 0;
  for (const BoardShape& shape : shapes_of(spec)) {
    const std::size_t n = BoardSignals(shape).all().size();
    const std::vector<bool> of_board(wanted.begin() + static_cast<std::ptrdiff_t>(first),
                                     wanted.begin() + static_cast<std::ptrdiff_t>(first + n));
    boards_.push_back(std::make_unique<BoardWaves>(shape, of_board, from, to));
    first_signals_.push_back(static_cast<std::uint32_t>(first));
    first += n;
  }
  fed_.chain().observe({[this, inputs = static_cast<std::uint32_t>(spec.ecb.inputs)](NodeId node, Loss loss) {
                          loss.input = index(node) % inputs;
                          if (attached_) boards_[index(node) / inputs]->lost(loss);
                        },
                        [](NodeId, const Fault&) {}, [](std::size_t, Time) {}, [](NodeId, Time) {}});
}

void WaveReplay::add(const BurstRows& rows) {
  if (!done_) done_ = fed_.add(rows, [this](Time time) { return reached(time); });
}

bool WaveReplay::reached(const Time time) {
  if (!attached_ && time >= from_) {
    drain_to(from_);
    attach();
  }
  if (time < next_) return false;
  drain_to(std::min(time, to_));
  next_ = time + (attached_ ? step_watched : step_unwatched);
  return time >= to_;
}

void WaveReplay::attach() {
  attached_ = true;
  next_ = 0_ps;
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    boards_[b]->begin(fed_.chain().board(b));
    fed_.chain().attach(b, boards_[b].get());
  }
}

void WaveReplay::drain_to(const Time horizon) {
  fed_.chain().drain_to(horizon);
  if (attached_) write_before(horizon);
}

// In steps, as timestamps go on in silence as well.
void WaveReplay::write_before(const Time horizon) {
  for (written_ = std::max(written_, from_); written_ < horizon;) {
    written_ = std::min(horizon, written_ + step_watched);
    merged_.clear();
    for (std::size_t b = 0; b < boards_.size(); ++b) {
      boards_[b]->advance(written_);
      const auto middle = std::ssize(merged_);
      std::vector<Change>& changes = boards_[b]->changes();
      // At the end of the run boards are ahead of what is written.
      const auto later =
          std::ranges::partition_point(changes, [this](const Change& change) { return change.time < written_; });
      std::for_each(changes.begin(), later, [&](Change change) {
        change.signal += first_signals_[b];
        merged_.push_back(change);
      });
      changes.erase(changes.begin(), later);
      std::inplace_merge(merged_.begin(), merged_.begin() + middle, merged_.end(),
                         [](const Change& x, const Change& y) { return x.time < y.time; });
    }
    writer_.write(merged_);
  }
}

// The last rows may be long before the window: what is still inside then can reach into it.
const std::vector<std::uint64_t>& WaveReplay::finish() {
  if (!done_) {
    if (!attached_) attach();
    fed_.chain().finish();
    write_before(to_);
  }
  writer_.close(to_);
  return writer_.transitions();
}

// --- where to look ---

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
    : trigger_(trigger), fed_(spec), watch_from_(watch_from) {
  if (trigger.above && spec.faults.reset_at_us > 0) watch_from_ = 0_ps; // a reset forgets the peak
  fed_.chain().observe({[this, inputs = static_cast<std::uint32_t>(spec.ecb.inputs)](NodeId node, const Loss& loss) {
                          if (!trigger_.above && (!trigger_.cause || loss.cause == *trigger_.cause))
                            found(loss.time, true, index(node) / inputs);
                        },
                        [](NodeId, const Fault&) {}, [](std::size_t, Time) {}, [](NodeId, Time) {}});
}
TriggerSearch::~TriggerSearch() = default;

void TriggerSearch::found(Time time, bool exact, std::size_t board) {
  if (!found_ || time < found_->time) found_ = {time, exact, board};
}

void TriggerSearch::add(const BurstRows& rows) {
  if (!done_) done_ = fed_.add(rows, [this](Time time) { return reached(time); });
}

bool TriggerSearch::reached(const Time time) {
  if (watch_from_ && watches_.empty() && time >= *watch_from_) {
    fed_.chain().drain_to(*watch_from_);
    watch();
  }
  if (time < next_) return false;
  fed_.chain().drain_to(time);
  look_at_peaks();
  drained_ = time;
  next_ = time + step_unwatched;
  return found_.has_value();
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
