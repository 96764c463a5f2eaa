// SPDX-License-Identifier: BSD-3-Clause
#include "hw/funnel/core/trace_funnel.hpp"

#include "hw/funnel/core/formatter.hpp"
#include "hw/funnel/core/funnel_node.hpp"
#include "hw/funnel/core/trace_sink.hpp"
#include "hw/funnel/core/trace_source.hpp"
#include "hw/funnel/core/word_queue.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <stdexcept>
#include <tuple>

namespace hypermon {

class TraceFunnel::Impl {
public:
  explicit Impl(const TraceFunnelDesign& design);

  void write(std::uint32_t source, Time at, std::span<const std::uint8_t> payload);
  void stop(Time at);
  void advance(Time horizon);
  TraceFunnelCounts counts() const;
  TraceSourceCounts counts(std::uint32_t source) const;
  Time next_event() const { return std::min(next_edge_, arrivals_.empty() ? Time::never() : arrivals_.front().time); }
  Time earliest_resume(std::uint32_t source) const;

  TraceFunnelDesign design_;
  Time clock_;
  Time horizon_;
  std::vector<TraceSource> sources_;
  TraceSink sink_;
  TraceProbe* probe_ = nullptr;
  bool keep_bytes_ = false;

private:
  friend class TraceFunnel;
  struct Arrival { // a message to be written at a future time
    Time time;
    std::uint64_t number;
    std::uint32_t source;
    bool operator<(const Arrival& o) const { return std::tie(o.time, o.number) < std::tie(time, number); }
  };

  void build_tree();
  void do_all_before(Time horizon);
  void arrive();
  void at_edge(Time edge);
  bool sources_at(Time edge);
  void begin_flush(Time edge);
  bool format_at(Time edge);
  void format(std::uint32_t source, std::size_t bytes, Time edge);
  Time first_edge_from(Time t) const { return clock_ * ((t + clock_ - Time::from_ps(1)) / clock_); }
  bool something_inside() const { return entered_ != formatted_ || !formatter_.empty() || sink_.waits_for_flush(); }
  void report_state(Time time);

  std::vector<WordQueue> links_;      // by source
  std::vector<std::uint64_t> active_; // bit i: source i has work at the next edge
  std::deque<FunnelNode> nodes_;      // the leaves first, the root last
  TraceFormatter formatter_;
  std::vector<Arrival> arrivals_; // a heap
  std::uint64_t number_ = 0;
  std::vector<Time> written_; // by source: time of its last message
  Time next_edge_;
  Time now_; // last edge that was simulated
  Time stop_ = Time::never();
  bool read_out_ = false;

  Time flush_period_;
  TraceFlush flush_;
  std::uint64_t flushes_ = 0;
  std::uint64_t entered_ = 0; // sum over all sources
  std::uint64_t formatted_ = 0;

  std::vector<TraceFunnelState::Source> source_states_;
  std::vector<TraceFunnelState::Funnel> funnel_states_;
};

TraceFunnel::Impl::Impl(const TraceFunnelDesign& design)
    : design_(design), clock_(design.link.clock_ns), sink_(design.sink, clock_, design.sources.size()),
      formatter_(design.formatter, false), written_(design.sources.size()),
      flush_period_(design.link.flush_us), flush_{.marks = std::vector<std::uint64_t>(design.sources.size())} {
  for (std::uint32_t i = 0; i < design.sources.size(); ++i) {
    sources_.emplace_back(design, i);
    links_.emplace_back(design.sources[i].link_words);
    active_.resize(i / 64 + 1);
    active_.back() |= std::uint64_t{1} << i % 64; // every source begins with a sync
  }
  build_tree();
}

void TraceFunnel::Impl::build_tree() {
  const auto fan_in = static_cast<std::size_t>(design_.link.inputs);
  std::vector<FunnelNode::Input> below;
  for (std::size_t i = 0; i < links_.size(); ++i) below.push_back({&links_[i], design_.sources[i].priority});
  for (std::size_t per_input = 1;; per_input *= fan_in) {
    std::vector<FunnelNode::Input> outputs;
    for (std::size_t first = 0; first < below.size(); first += fan_in) {
      const std::size_t end = std::min(first + fan_in, below.size());
      const std::vector<FunnelNode::Input> inputs(below.begin() + static_cast<std::ptrdiff_t>(first),
                                                  below.begin() + static_cast<std::ptrdiff_t>(end));
      const auto best = std::min_element(inputs.begin(), inputs.end(),
                                         [](const auto& a, const auto& b) { return a.priority < b.priority; });
      const std::int64_t priority = best->priority;
      const std::size_t first_source = first * per_input;
      const std::size_t sources = std::min(end * per_input, sources_.size()) - first_source;
      FunnelNode& node = nodes_.emplace_back(design_.link, clock_, inputs,
                                             FunnelNode::Sources{first_source, sources, per_input}, flush_);
      outputs.push_back({&node.out(), priority});
    }
    below = std::move(outputs);
    if (below.size() == 1) break;
  }
}

void TraceFunnel::Impl::write(std::uint32_t source, Time at, std::span<const std::uint8_t> payload) {
  if (at < horizon_ || at < written_[source] || at >= stop_)
    throw std::logic_error("internal: message before the funnel's horizon");
  sources_[source].write(at, payload);
  written_[source] = at;
  arrivals_.push_back({at, number_++, source});
  std::push_heap(arrivals_.begin(), arrivals_.end());
}

void TraceFunnel::Impl::stop(Time at) {
  if (at < horizon_ || stop_ < Time::never())
    throw std::logic_error("internal: the trace is stopped in the past, or twice");
  stop_ = at;
  next_edge_ = std::min(next_edge_, first_edge_from(at));
}

void TraceFunnel::Impl::advance(Time horizon) {
  if (horizon < horizon_) throw std::logic_error("internal: the funnel's horizon goes back");
  do_all_before(horizon);
  horizon_ = horizon;
  if (horizon < Time::never() || flush_.everything) return;
  stop_ = now_ + clock_; // nothing else is pending
  next_edge_ = stop_;
  do_all_before(horizon);
}

void TraceFunnel::Impl::do_all_before(Time horizon) {
  for (;;) {
    const Time arrival = arrivals_.empty() ? Time::never() : arrivals_.front().time;
    if (arrival < next_edge_ && arrival < horizon) {
      arrive();
    } else if (next_edge_ < horizon) {
      at_edge(next_edge_);
    } else {
      return;
    }
  }
}

void TraceFunnel::Impl::arrive() {
  const Arrival arrival = arrivals_.front();
  std::pop_heap(arrivals_.begin(), arrivals_.end());
  arrivals_.pop_back();
  TraceSource& source = sources_[arrival.source];
  const std::uint64_t before = source.entered_bytes();
  if (probe_ != nullptr) probe_->written(arrival.source, arrival.time, source.next_size());
  source.arrive();
  entered_ += source.entered_bytes() - before;
  active_[arrival.source / 64] |= std::uint64_t{1} << arrival.source % 64;
  next_edge_ = std::min(next_edge_, clock_ * (arrival.time / clock_ + 1));
  if (probe_ != nullptr) report_state(arrival.time);
}

// From the sink to the sources, so that each part finds its input as it was before the edge.
void TraceFunnel::Impl::at_edge(Time edge) {
  now_ = edge;
  if (edge >= stop_) {
    flush_.everything = true;
    flush_.active = false;
  }
  begin_flush(edge);
  bool changed = sink_.at_edge(edge, {flush_.everything, read_out_});
  changed |= format_at(edge);
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) changed |= node->at_edge(edge);
  changed |= sources_at(edge);
  sink_.end_edge();
  if (flush_.everything && !changed && !read_out_) read_out_ = changed = true; // everything is flushed that can be
  if (changed) {
    next_edge_ = edge + clock_;
  } else {
    next_edge_ = sink_.next_event(edge, {flush_.everything, read_out_});
    if (flush_period_ > Time() && !flush_.active && !flush_.everything && something_inside())
      next_edge_ = std::min(next_edge_, first_edge_from(flush_period_ * (edge / flush_period_ + 1)));
    if (!flush_.everything && stop_ < Time::never()) next_edge_ = std::min(next_edge_, first_edge_from(stop_));
  }
  if (probe_ != nullptr) report_state(edge);
}

bool TraceFunnel::Impl::sources_at(Time edge) {
  bool changed = false;
  for (std::size_t word = 0; word < active_.size(); ++word)
    for (std::uint64_t left = active_[word]; left != 0; left &= left - 1) {
      const std::size_t i = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
      TraceSource& source = sources_[i];
      const std::uint64_t before = source.entered_bytes();
      changed |= source.move_to_link(links_[i], edge);
      changed |= source.enter_at(edge);
      entered_ += source.entered_bytes() - before;
      if (!source.active()) active_[word] &= ~(left & -left);
    }
  return changed;
}

void TraceFunnel::Impl::begin_flush(Time edge) {
  if (flush_period_ == Time() || flush_.active || flush_.everything || !something_inside()) return;
  if (edge < clock_ || edge / flush_period_ == (edge - clock_) / flush_period_) return;
  for (std::size_t i = 0; i < sources_.size(); ++i) flush_.marks[i] = sources_[i].entered_bytes();
  flush_.active = true;
}

/// Ends a flush, or formats a word.
bool TraceFunnel::Impl::format_at(Time edge) {
  const auto is_formatted = [&] {
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i].formatted_bytes() < flush_.marks[i]) return false;
    return true;
  };
  const bool flushed =
      flush_.everything ? entered_ == formatted_ && !formatter_.empty() : flush_.active && is_formatted();
  if (flushed) {
    if (!formatter_.empty() && !sink_.accepts(formatter_.most_bytes(0))) return false;
    formatter_.fill_up();
    if (formatter_.complete()) {
      sink_.arrive(formatter_.unit(), edge);
      formatter_.next_unit();
    }
    sink_.flush();
    flush_.active = false;
    flushes_ += flush_.everything ? 0 : 1;
    return true;
  }
  WordQueue& root = nodes_.back().out();
  if (root.empty() || !sink_.accepts(formatter_.most_bytes(root.front().bytes))) return false;
  const TraceWord word = root.take(edge);
  format(word.source, word.bytes, edge);
  return true;
}

void TraceFunnel::Impl::format(std::uint32_t source, std::size_t bytes, Time edge) {
  formatted_ += bytes;
  while (bytes > 0) {
    const std::size_t n = formatter_.take(source, bytes, sources_[source].bytes());
    bytes -= n;
    sources_[source].formatted(n, sink_.next_unit(), formatter_.id_frame(), [&](const EnteredTrace& m) {
      sink_.add({m.kind,
                 {source, m.sequence, m.timestamp, m.written, m.entered, Time()},
                 m.payload,
                 m.known_unit,
                 m.first_unit,
                 sink_.next_unit()});
    });
    if (!formatter_.complete()) return;
    sink_.arrive(formatter_.unit(), edge);
    formatter_.next_unit();
  }
}

TraceFunnelCounts TraceFunnel::Impl::counts() const {
  TraceFunnelCounts all;
  sink_.count(all);
  for (std::uint32_t i = 0; i < sources_.size(); ++i) {
    const TraceSourceCounts c = counts(i);
    all.written += c.written;
    all.lost[static_cast<std::size_t>(TraceLossCause::source_full)] += c.dropped;
    all.held += c.held;
    all.inside += c.inside;
    all.encoded_bytes += c.encoded_bytes;
    all.stalled += c.stalled;
  }
  all.id_bytes = formatter_.id_bytes();
  all.padding_bytes = formatter_.padding_bytes();
  all.frame_bits_bytes = formatter_.frames();
  all.full_sync_bytes = formatter_.full_syncs() * full_sync_packet.size();
  all.flushes = flushes_;
  for (const FunnelNode& node : nodes_)
    all.peak_funnel_words = std::max<std::uint64_t>(all.peak_funnel_words, node.out().peak());
  return all;
}

TraceSourceCounts TraceFunnel::Impl::counts(std::uint32_t source) const {
  TraceSourceCounts counts = sources_[source].counts();
  if (const Time since = sources_[source].held_since(); since < Time::never())
    counts.stalled += std::max(horizon_ == Time::never() ? now_ : horizon_, since) - since;
  return counts;
}

Time TraceFunnel::Impl::earliest_resume(std::uint32_t source) const {
  const TraceSource& s = sources_[source];
  if (!s.pending()) return s.resumed_at();
  if (s.held() == 0) return s.last_pending();
  if (next_edge_ == Time::never()) return Time::never();
  return std::max(s.last_pending(), next_edge_ + clock_ * s.edges_until_entry());
}

void TraceFunnel::Impl::report_state(Time time) {
  source_states_.clear();
  for (std::size_t i = 0; i < sources_.size(); ++i)
    source_states_.push_back({static_cast<std::uint32_t>(sources_[i].level()),
                              static_cast<std::uint32_t>(links_[i].size()),
                              static_cast<std::uint32_t>(sources_[i].held()), sources_[i].overflowing()});
  funnel_states_.clear();
  for (const FunnelNode& node : nodes_)
    funnel_states_.push_back({static_cast<std::uint32_t>(node.out().size()), node.granted()});
  probe_->changed(time, {source_states_, funnel_states_, flush_.active || flush_.everything,
                         static_cast<std::uint32_t>(formatter_.filled()), sink_.level(), sink_.reading(),
                         sink_.blackout(time)});
}

TraceFunnel::TraceFunnel(const TraceFunnelDesign& design) {
  if (const auto problem = problem_of(design))
    throw std::invalid_argument(problem->parameter + " = " + problem->value + ": " + problem->must);
  impl_ = std::make_unique<Impl>(design);
}
TraceFunnel::~TraceFunnel() = default;
TraceFunnel::TraceFunnel(TraceFunnel&&) noexcept = default;

void TraceFunnel::on_loss(std::function<void(const LostTrace&)> sink) {
  for (TraceSource& source : impl_->sources_) source.on_loss(sink);
  impl_->sink_.on_loss(std::move(sink));
}
void TraceFunnel::on_stream(Stream sink) {
  impl_->formatter_ = TraceFormatter(impl_->design_.formatter, true);
  for (TraceSource& source : impl_->sources_) source.keep_bytes();
  impl_->sink_.on_stream(std::move(sink));
}
void TraceFunnel::attach(TraceProbe* probe) { impl_->probe_ = probe; }

void TraceFunnel::write(std::uint32_t source, Time at, std::span<const std::uint8_t> payload) {
  impl_->write(source, at, payload);
}
std::size_t TraceFunnel::longest_payload(std::uint32_t source) const {
  return impl_->sources_[source].longest_payload();
}
void TraceFunnel::stop(Time at) { impl_->stop(at); }
void TraceFunnel::advance(Time horizon) { impl_->advance(horizon); }
std::span<const DeliveredTrace> TraceFunnel::delivered() const { return impl_->sink_.delivered(); }
void TraceFunnel::clear_delivered() { impl_->sink_.clear_delivered(); }
TraceFunnelCounts TraceFunnel::counts() const { return impl_->counts(); }
TraceSourceCounts TraceFunnel::counts(std::uint32_t source) const { return impl_->counts(source); }
Time TraceFunnel::horizon() const { return impl_->horizon_; }
Time TraceFunnel::next_event() const { return impl_->next_event(); }
std::optional<Time> TraceFunnel::resumed_at(std::uint32_t source) const {
  const TraceSource& s = impl_->sources_[source];
  return s.pending() ? std::nullopt : std::optional(s.resumed_at());
}
Time TraceFunnel::earliest_resume(std::uint32_t source) const { return impl_->earliest_resume(source); }
const TraceFunnelDesign& TraceFunnel::design() const { return impl_->design_; }
std::size_t TraceFunnel::sources() const { return impl_->sources_.size(); }
Time TraceFunnel::clock() const { return impl_->clock_; }

} // namespace hypermon
