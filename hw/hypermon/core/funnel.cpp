// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/funnel.hpp"
#include <stdexcept>

namespace hypermon {

Funnel::Funnel(const PortParams& port, const FunnelParams& funnel, const PbxParams& pbx, const ReaderParams& reader)
    : datum_mask_(mask_of_datum(port.width_bits)), timestamps_(funnel.timestamp_ns, funnel.timestamp_bits),
      inputs_(static_cast<std::size_t>(funnel.sources), bytes_per_datum(port.width_bits)),
      sources_(inputs_, funnel.source_fifo_entries, funnel.source_full), arbiter_(funnel.arbiter),
      arbiter_time_(cycles(funnel.arbiter_cycles)), fifo_(funnel.fifo_words, funnel.fifo_full), reader_(pbx, reader),
      word_bits_(static_cast<std::size_t>(port.width_bits + funnel.id_bits + funnel.timestamp_bits)),
      word_time_(funnel.packed ? reader_.read_time_of_bits(word_bits_) : reader_.read_time((word_bits_ + 31) / 32)) {
  if (funnel.sources > std::int64_t{1} << funnel.id_bits) throw std::invalid_argument("id_bits cannot number sources");
}

void Funnel::write(const Burst& burst) {
  if (burst.first < horizon_) throw std::logic_error("internal: burst before the funnel's horizon");
  inputs_.write(burst);
}

void Funnel::advance(const Time horizon) {
  if (horizon < horizon_) throw std::logic_error("internal: the funnel's horizon goes back");
  horizon_ = horizon;
  inputs_.set_horizon(horizon);
  for (;;) {
    Input* in = inputs_.earliest();
    if (in != nullptr && in->time < next_edge_) {
      strobe(*in);
    } else if (next_edge_ < horizon) {
      now_ = next_edge_;
      at_edge(now_);
      next_edge_ = next_edge(now_);
    } else {
      break;
    }
  }
}

void Funnel::strobe(Input& in) {
  using Answer = SourceFifos<Word>::Answer;
  const Answer answer = sources_.ask(in);
  if (answer == Answer::held) return;
  if (answer == Answer::enters) {
    enter(in, in.time);
    // An idle arbiter takes the word at the next edge.
    if (!arbitrated_.busy()) next_edge_ = std::min(next_edge_, edge_at_or_before(in.time) + clock_period);
  } else {
    ++counts_.source_overruns;
    lose(in.index, inputs_.sequence(in), LossCause::node_overrun, in.time);
  }
  inputs_.pop(in);
}

void Funnel::enter(const Input& in, Time time) {
  const std::uint64_t timestamp = timestamps_.stamp(timestamps_.number(time));
  sources_[in.index].push({{in.index, inputs_.datum(in) & datum_mask_, timestamp}, inputs_.sequence(in)});
}

// Decisions use the state before the edge, all changes happen together (spec sec. 1).
void Funnel::at_edge(const Time edge) {
  const std::size_t level = fifo_.size();
  const std::uint32_t ready = waiting();
  std::optional<Word> passed;
  if (arbitrated_.complete_at(edge) && fifo_.accepts(level)) passed = arbitrated_.leave();
  if (!arbitrated_.busy() && ready != 0) take(ready, edge);
  read_at(edge);
  if (passed) push(*passed, edge, level);
  sources_.release_held(edge, [&](const Input& in) { enter(in, edge); });
}

Time Funnel::next_edge(const Time now) const {
  const Time arbiter = arbitrated_.next(now, waiting() != 0, !fifo_.full());
  return std::min(arbiter, reader_.next(now, fifo_.size() - (reader_.reading() ? 1 : 0)));
}

// Bits of the sources that have a word.
std::uint32_t Funnel::waiting() const {
  std::uint32_t which = 0;
  for (std::size_t i = 0; i < inputs_.size(); ++i) which |= (sources_[i].empty() ? 0u : 1u) << i;
  return which;
}

void Funnel::take(std::uint32_t waiting, Time edge) {
  Fifo<Word>& source = sources_[arbiter_.choose(waiting)];
  arbitrated_.take(edge + arbiter_time_) = source.front();
  source.pop();
}

void Funnel::read_at(const Time edge) {
  const std::size_t waiting = fifo_.size() - (reader_.reading() ? 1 : 0); // before the edge
  if (reader_.ends_at(edge)) {
    delivered_.push_back({fifo_.front().word, edge});
    fifo_.pop();
    ++counts_.drained;
    counts_.end = edge;
    reader_.end_frame(edge, 0_ps);
  }
  if (reader_.starts_at(edge, waiting)) reader_.start_frame(edge, word_time_);
}

void Funnel::push(const Word& word, const Time edge, const std::size_t level) {
  ++counts_.passed;
  if (const auto lost = fifo_.arrive(word, level, reader_.reading() ? 1 : 0)) {
    ++counts_.lost;
    lose(lost->word.source, lost->sequence, LossCause::frame_lost, edge);
  }
  counts_.peak_fifo = std::max<std::uint64_t>(counts_.peak_fifo, fifo_.size());
}

void Funnel::lose(std::uint32_t source, std::uint64_t sequence, LossCause cause, Time time) {
  if (loss_sink_) loss_sink_({source, sequence, cause, time});
}

FunnelCounts Funnel::counts() const {
  FunnelCounts c = counts_;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    c.strobes += inputs_.sequence(inputs_[i]);
    c.in_sources += sources_[i].size();
  }
  c.in_sources += arbitrated_.busy() ? 1 : 0;
  c.in_fifo = fifo_.size();
  return c;
}

} // namespace hypermon
