// SPDX-License-Identifier: BSD-3-Clause
// A board's waves as the contract has them: put together from what the clock-by-clock oracle sees
// (tests/core/oracle.hpp), signal by signal, with all their transitions. Shares no code with waves/ but the names.
#pragma once
#include "base/signal.hpp"
#include "tests/monitors/hypermon/core/oracle.hpp"
#include <string>
#include <string_view>
#include <unordered_map>

namespace hypermon::testing {

class ExpectedWaves : public oracle::Watcher {
public:
  /// Time (ps) and value; of an event 1.
  using Transitions = std::vector<std::pair<std::int64_t, std::uint64_t>>;

  ExpectedWaves(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx)
      : ecb_(ecb), format_(port, ecb), word_ns_(pbx.word_ns.number) {}

  void after_edge(std::int64_t edge, const oracle::Snapshot& inside) override {
    const std::int64_t ps = edge * period;
    called_ = 0;
    frames_built(ps, inside);
    if (waits_ && before_.next_action < edge) at(before_.next_action * period, "io_node.state", 0); // silence skipped
    if (edge == 0)
      for (std::uint32_t i = 0; i < inside.node_fifo.size(); ++i) {
        fifos_.push_back(fifo(i));
        seen_[input(i) + "held"].insert(seen_[input(i) + "held"].begin(), {0, 0});
      }
    for (std::size_t i = 0; i < inside.node_fifo.size(); ++i) at_each(ps, fifos_[i], inside.node_fifo[i]);
    at_each(ps, "ecb.sampler.vector", inside.vector);
    at_each(ps, "ecb.vector_fifo.level", inside.vector_fifo);
    at_each(ps, "ecb.frame_fifo.level", inside.frame_fifo);
    at_each(ps, "ecb.builder.state", inside.builder_held ? 2 : inside.building ? 1 : 0);
    at_each(ps, "ecb.builder.vector", inside.built_vector);
    at_each(ps, "ecb.builder.timestamp", inside.built_timestamp);
    waits_ = !inside.reading && inside.next_action > edge;
    at_each(ps, "io_node.state", inside.reading ? 1 : !waits_ ? 0 : inside.stalling ? 3 : 2);
    at_each(ps, "io_node.group", inside.left_in_group);
    at_each(ps, "pbx.register", inside.reading ? 4 : 0);
    if (!inside.reading) at(ps, "io_node.word", 0);
    status(ps, inside.counts, inside.frame_fifo);
    before_ = inside;
  }
  // Effects of a strobe until the next edge.
  void strobe(std::int64_t ps, std::uint32_t i, std::uint32_t datum) override {
    at(ps, line(i) + "strobe", 1);
    at(ps, line(i) + "data", datum);
    at(ps, input(i) + "held", 0);
  }
  void held(std::int64_t ps, std::uint32_t i) override { at(ps, input(i) + "held", 1); }
  void entered(std::int64_t ps, std::uint32_t i) override { entered_.emplace_back(ps, i); }
  void look(std::int64_t edge) override {
    for (const char* what : {"io_node.look", "pbx.status_read", "pbx.frame_count_read"}) at(edge * period, what, 1);
  }
  void reading_begins(std::int64_t edge, const EventFrame& frame) override {
    at(edge * period, "io_node.word", 0);
    const std::size_t words = format_.words(frame.stamped);
    for (std::size_t i = 0; i < words; ++i) {
      const std::int64_t end_ns = edge * 50 + static_cast<std::int64_t>(i + 1) * word_ns_;
      const std::int64_t end = (end_ns + 49) / 50 * period; // the first edge at or after
      at(end, "pbx.word", format_.word(frame, i));
      at(end, "pbx.word_end", 1);
      if (i + 1 < words) at(end, "io_node.word", i + 1);
    }
  }
  /// End of the run, with all its losses.
  void finish(const std::vector<Loss>& all) {
    if (waits_) at(before_.next_action * period, "io_node.state", 0);
    constexpr std::array names{"aliasing", "node_overrun", "window_lost", "frame_lost"};
    for (const Loss& l : all) {
      at(l.time.ps(), std::string("loss.") + names.at(static_cast<std::size_t>(l.cause)), 1);
      at(l.time.ps(), input(l.input) + "lost", 1);
      if (l.cause == LossCause::aliasing) at(l.time.ps(), input(l.input) + "aliasing", 1);
      if (l.cause == LossCause::node_overrun) at(l.time.ps(), input(l.input) + "node_overrun", 1);
    }
    losses_ = all;
  }

  /// Transitions from `from` on and before `to`: first the value at `from`, if there is one, then the changes. Call
  /// after the run.
  Transitions transitions(const Signal& signal, std::int64_t from, std::int64_t to) {
    const std::string name = signal.path.substr(signal.path.find('.') + 1);
    std::vector<Seen> all = seen_[name];
    if (name == "ecb.timestamp") all = timestamps(from, to);
    if (name == "loss.data") all = data_lost(from);
    if (name == "ecb.sampler.vector" || name.starts_with("ecb.node_fifo[")) add_entered(name, all);
    if (name == "ecb.status") add_node_overruns(all);
    const auto earlier = [](const Seen& a, const Seen& b) { return a.ps < b.ps; };
    if (!std::is_sorted(all.begin(), all.end(), earlier)) std::stable_sort(all.begin(), all.end(), earlier);
    return signal.kind == Signal::Kind::event ? events(all, from, to) : changes(all, from, to);
  }

private:
  static constexpr std::int64_t period = 50'000;
  struct Seen {
    std::int64_t ps;
    std::uint64_t value;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  void at(std::int64_t ps, std::string_view name, std::uint64_t value) {
    auto found = seen_.find(name);
    if (found == seen_.end()) found = seen_.try_emplace(std::string(name)).first;
    found->second.push_back({ps, value});
  }
  /// For values that after_edge() always gives in the same order: names are looked up at the first edge.
  void at_each(std::int64_t ps, std::string_view name, std::uint64_t value) {
    if (called_ == lines_.size()) lines_.push_back(&seen_[std::string(name)]);
    lines_[called_++]->push_back({ps, value});
  }
  static std::string fifo(std::size_t i) { return "ecb.node_fifo[" + std::to_string(i) + "].level"; }
  static std::string input(std::size_t i) { return "ecb.input[" + std::to_string(i) + "]."; }
  static std::string line(std::size_t i) { return "erb.line[" + std::to_string(i) + "]."; }

  void frames_built(std::int64_t ps, const oracle::Snapshot& inside) {
    const Counts& c = inside.counts;
    if (c.frames_built > before_.counts.frames_built) at(ps, "ecb.frame_fifo.frame_built", 1);
    if (c.frames_lost > before_.counts.frames_lost) at(ps, "ecb.frame_fifo.frame_lost", 1);
    if (c.windows_lost > before_.counts.windows_lost) at(ps, "ecb.vector_fifo.window_lost", 1);
    if (inside.oldest_frames_lost > before_.oldest_frames_lost) at(ps, "ecb.frame_fifo.oldest_lost", 1);
  }
  void status(std::int64_t ps, const Counts& c, std::size_t frames) {
    at_each(ps, "ecb.status",
            (c.frames_lost > 0 ? 1u : 0u) | (c.node_overruns > 0 ? 2u : 0u) | (c.windows_lost > 0 ? 4u : 0u) |
                (frames > 0 ? 8u : 0u));
  }
  // Between edges the level that was after the edge rises with each word that enters, and a bit of the vector is set.
  void add_entered(const std::string& name, std::vector<Seen>& all) const {
    const bool is_vector = name == "ecb.sampler.vector";
    auto entered = entered_;
    std::stable_sort(entered.begin(), entered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Seen> completed;
    auto next = entered.begin();
    for (std::size_t i = 0; i < all.size(); ++i) {
      completed.push_back(all[i]);
      std::uint64_t value = all[i].value;
      const std::int64_t until = i + 1 < all.size() ? all[i + 1].ps : all[i].ps + period;
      for (; next != entered.end() && next->first < until; ++next) {
        if (!is_vector && name != fifo(next->second)) continue;
        value = is_vector ? value | 1u << next->second : value + 1;
        completed.push_back({next->first, value});
      }
    }
    all = completed;
  }
  // The bit is set by the strobe, not by an edge.
  void add_node_overruns(std::vector<Seen>& all) const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const Loss& l : losses_)
      if (l.cause == LossCause::node_overrun) first = std::min(first, l.time.ps());
    std::vector<Seen> completed;
    for (std::size_t i = 0; i < all.size(); ++i) {
      completed.push_back(all[i]);
      const std::int64_t until = i + 1 < all.size() ? all[i + 1].ps : std::numeric_limits<std::int64_t>::max();
      if (first >= all[i].ps && first < until) completed.push_back({first, all[i].value | 2u});
    }
    all = completed;
  }
  std::vector<Seen> timestamps(std::int64_t from, std::int64_t to) const {
    std::vector<Seen> all;
    const std::int64_t window = ecb_.window_ns.number * 1000;
    for (std::int64_t k = from / window; k * window < to; ++k)
      all.push_back({k * window, static_cast<std::uint64_t>(k) & format_.timestamp_mask()});
    return all;
  }
  std::vector<Seen> data_lost(std::int64_t from) const {
    std::vector<std::int64_t> times;
    for (const Loss& l : losses_)
      if (l.time.ps() >= from) times.push_back(l.time.ps());
    std::sort(times.begin(), times.end());
    std::vector<Seen> all{{from, 0}};
    for (const std::int64_t ps : times) all.push_back({ps, all.back().value + 1});
    return all;
  }
  static Transitions events(const std::vector<Seen>& all, std::int64_t from, std::int64_t to) {
    Transitions result;
    for (const Seen& s : all)
      if (s.ps >= from && s.ps < to && (result.empty() || result.back().first != s.ps)) result.emplace_back(s.ps, 1);
    return result;
  }
  // If there are several values at one time, keeps the last.
  static Transitions changes(const std::vector<Seen>& all, std::int64_t from, std::int64_t to) {
    Transitions result;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].ps >= to) break;
      if (i + 1 < all.size() && all[i + 1].ps == all[i].ps) continue;
      const std::int64_t ps = std::max(all[i].ps, from);
      if (all[i].ps <= from) result.clear();
      if (result.empty() || result.back().second != all[i].value) result.emplace_back(ps, all[i].value);
    }
    return result;
  }

  EcbParams ecb_;
  FrameFormat format_;
  std::int64_t word_ns_;
  std::unordered_map<std::string, std::vector<Seen>, Hash, std::equal_to<>> seen_;
  std::vector<std::string> fifos_; // names, made once
  std::vector<std::vector<Seen>*> lines_;
  std::size_t called_ = 0;
  std::vector<std::pair<std::int64_t, std::uint32_t>> entered_;
  std::vector<Loss> losses_;
  oracle::Snapshot before_{};
  bool waits_ = false;
};

} // namespace hypermon::testing
