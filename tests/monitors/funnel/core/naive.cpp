// SPDX-License-Identifier: BSD-3-Clause
#include "tests/monitors/funnel/core/naive.hpp"

#include "hw/funnel/core/formatter.hpp"
#include "hw/funnel/core/protocol.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <utility>

namespace hypermon::testing {
namespace {

struct Message {
  std::uint32_t source;
  TraceKind kind;
  std::uint64_t sequence;
  std::uint64_t payload;
  std::uint64_t timestamp;
  Time written, entered;
  std::uint64_t bytes; // not formatted
  std::optional<std::uint64_t> first_unit;
  std::uint64_t last_unit = 0;
  bool judged = false;
  bool begun = false, broken = false; // state of the analyst's reader
};

struct Byte {
  std::size_t message;
  std::uint8_t value;
  bool begins, ends;
};
using Word = std::vector<Byte>;

struct Source {
  std::deque<TraceWrite> writes; // all writes that have neither entered nor been lost
  std::size_t held = 0;
  Time held_since;
  Time resumed_at;
  std::uint64_t sequence = 0;
  std::deque<Byte> fifo;
  bool overflowing = false;
  bool sync_due = true;
  std::uint64_t since_sync = 0;
  std::uint64_t last_stamp = 0;
  std::deque<Word> link;
  std::uint64_t formatted = 0;
  std::uint64_t mark = 0;
  TraceSourceCounts counts;
};

struct Node {
  std::vector<std::size_t> inputs; // sources, or nodes
  bool leaf;
  std::set<std::size_t> sources_of(const std::vector<Node>& nodes, std::size_t input) const {
    if (leaf) return {inputs[input]};
    std::set<std::size_t> all;
    const Node& below = nodes[inputs[input]];
    for (std::size_t i = 0; i < below.inputs.size(); ++i) all.merge(below.sources_of(nodes, i));
    return all;
  }
  std::vector<std::set<std::size_t>> sources; // by input
  std::vector<std::int64_t> priority;
  std::deque<Word> out;
  std::vector<std::uint64_t> passed; // by source
  std::size_t last = 0;
  std::size_t last_source = 0;
  bool granted = false;
  std::int64_t words = 0;
  Time since;
};

struct Item { // part of a frame: a byte, or a source's number
  bool is_id;
  std::uint8_t value;
  std::optional<Byte> byte{}; // no source's if it is empty
};

struct Unit {
  std::uint64_t number;
  std::vector<std::uint8_t> bytes;
  std::vector<Item> items;
};

struct Burst {
  Time arrives;
  std::vector<TraceChunk> chunks;
  std::vector<Unit> units; // units that are complete with it
  std::uint64_t bytes;
};

class Naive {
public:
  Naive(const TraceFunnelDesign& design, const std::vector<TraceWrite>& writes, std::optional<Time> stop);
  TraceOutcome run(const std::vector<Time>& horizons);

private:
  const TraceFunnelDesign& d_;
  std::optional<Time> stop_;
  TraceProtocol protocol_;
  Time clock_;
  std::size_t width_;
  std::vector<Source> sources_;
  std::vector<Node> nodes_;
  std::vector<Message> messages_;
  TraceOutcome outcome_;
  TraceFunnelCounts counts_;

  std::vector<Item> frame_;
  std::optional<std::uint8_t> id_;
  std::uint64_t frames_ = 0, frames_since_id_ = 0;

  std::deque<Unit> buffer_;
  std::uint64_t next_unit_ = 0;
  std::size_t offset_ = 0;
  std::uint64_t burst_ = 0;
  Time burst_end_;
  std::uint64_t left_ = 0;
  std::uint64_t flushed_units_ = 0;
  std::deque<Burst> flights_;
  // The analyst.
  std::uint64_t next_read_ = 0;
  bool knows_whose_ = false;
  std::vector<bool> framed_; // nexus: where messages begin, by source; without frames of all
  std::vector<bool> synced_; // by source
  std::set<std::uint64_t> lost_units_;

  bool flushing_ = false, ending_ = false, read_out_ = false, changed_ = false;
  std::uint64_t sink_before_ = 0;
  std::uint64_t burst_left_ = 0; // bytes of a burst that ends at this edge

  bool frames() const { return d_.formatter.format == TraceFormat::frames; }
  std::uint64_t stamp(Time t) const {
    return static_cast<std::uint64_t>(t / Time(d_.protocol.timestamp_ns)) & protocol_.timestamp_mask();
  }
  std::uint64_t level() const {
    std::uint64_t bytes = 0;
    for (const Unit& u : buffer_) bytes += u.bytes.size();
    return bytes - offset_;
  }
  Time rounded(Time t) const {
    Time edge;
    edge = clock_ * (t / clock_);
    return edge < t ? edge + clock_ : edge;
  }
  bool dark(Time t) const;
  void write(std::size_t s, Time now);
  void enter(std::size_t s, TraceKind kind, Time now);
  void at_edge(Time e);
  bool pending_flush() const;
  std::uint64_t next_burst() const;
  bool accepts(std::size_t word) const;
  void decide(Node& node, Time e, std::optional<std::size_t>& input);
  void format(const Word& word, Time e);
  void put_item(Item item, Time e);
  void unit_done(const std::vector<std::uint8_t>& bytes, const std::vector<Item>& items, Time e);
  void lose_unit(std::uint64_t number, std::size_t bytes, TraceLossCause cause, Time e);
  void lose(Message& m, TraceLossCause cause, Time t);
  void land(const Burst& burst);
  void read(const Unit& unit, Time t);
  void read(const Byte& byte, Time t);
  TraceSnapshot snapshot(Time now) const;
};

Naive::Naive(const TraceFunnelDesign& design, const std::vector<TraceWrite>& writes, std::optional<Time> stop)
    : d_(design), stop_(stop), protocol_(design.protocol), clock_(design.link.clock_ns),
      width_(static_cast<std::size_t>(design.link.width_bits / 8)), sources_(design.sources.size()),
      framed_(design.sources.size(), true), synced_(design.sources.size(), false) {
  for (const TraceWrite& w : writes) sources_[w.source].writes.push_back(w);
  std::vector<std::size_t> below(sources_.size());
  for (std::size_t i = 0; i < below.size(); ++i) below[i] = i;
  for (bool leaf = true; leaf || below.size() > 1; leaf = false) {
    std::vector<std::size_t> level;
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (i % static_cast<std::size_t>(d_.link.inputs) == 0) {
        level.push_back(nodes_.size());
        nodes_.emplace_back().leaf = leaf;
      }
      nodes_.back().inputs.push_back(below[i]);
    }
    below = level;
  }
  for (Node& node : nodes_) {
    node.passed.resize(sources_.size());
    node.last = node.inputs.size() - 1;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      node.sources.push_back(node.sources_of(nodes_, i));
      std::int64_t best = 7;
      for (const std::size_t s : node.sources.back()) best = std::min(best, d_.sources[s].priority);
      node.priority.push_back(best);
    }
  }
}

bool Naive::dark(Time t) const {
  const TraceSinkParams& p = d_.sink;
  const Time at = p.blackout_at_ms, length = p.blackout_for_ms, every = p.blackout_every_ms;
  for (Time begin = at; begin <= t; begin += every) {
    if (t < begin + length) return true;
    if (every == Time()) break;
  }
  const auto listed = listed_blackouts(p.blackouts_ms);
  return std::any_of(listed->begin(), listed->end(), [&](const Blackout& b) { return b.begin <= t && t < b.end; });
}

/// A marker, a sync, or the first message that waits.
void Naive::enter(std::size_t number, TraceKind kind, Time now) {
  Source& s = sources_[number];
  Message m{static_cast<std::uint32_t>(number), kind, s.sequence, 0, stamp(now), now, now, 0, std::nullopt};
  std::vector<std::uint8_t> bytes;
  if (kind == TraceKind::overflow) {
    protocol_.write_overflow(m.source, bytes);
    ++s.counts.markers;
  } else if (kind == TraceKind::sync) {
    protocol_.write_sync(m.source, m.timestamp, bytes);
    ++s.counts.syncs;
    s.sync_due = false;
    s.since_sync = 0;
    s.last_stamp = m.timestamp;
  } else {
    const TraceWrite& w = s.writes.front();
    m.payload = w.payload.size();
    m.written = w.time;
    protocol_.write_data(m.source, w.payload, (m.timestamp - s.last_stamp) & protocol_.timestamp_mask(), bytes);
    s.last_stamp = m.timestamp;
    s.since_sync += d_.protocol.sync_counts == SyncCounts::bytes ? bytes.size() : 1;
    if (d_.protocol.sync_every > 0 && s.since_sync >= static_cast<std::uint64_t>(d_.protocol.sync_every))
      s.sync_due = true;
    s.counts.inside.add(m.payload);
    s.writes.pop_front();
    ++s.sequence;
    s.resumed_at = now;
  }
  m.bytes = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    s.fifo.push_back({messages_.size(), bytes[i], i == 0, i + 1 == bytes.size()});
  messages_.push_back(m);
  s.counts.encoded_bytes += bytes.size();
  s.counts.peak_fifo_bytes = std::max<std::uint64_t>(s.counts.peak_fifo_bytes, s.fifo.size());
}

void Naive::write(std::size_t number, Time now) {
  Source& s = sources_[number];
  const std::uint64_t payload = s.writes[s.held].payload.size();
  s.counts.written.add(payload);
  const auto depth = static_cast<std::size_t>(d_.sources[number].fifo_bytes.number);
  const bool fits = s.fifo.size() + protocol_.longest_data(payload) <= depth;
  if (s.held == 0 && !s.overflowing && fits) return enter(number, TraceKind::data, now);
  if (d_.sources[number].full == WhenFull::stall) {
    if (s.held++ == 0) s.held_since = now, ++s.counts.stalls;
    s.counts.held.add(payload);
    return;
  }
  if (!s.overflowing) ++s.counts.overflows;
  s.overflowing = true;
  s.counts.dropped.add(payload);
  outcome_.losses.push_back({static_cast<std::uint32_t>(number), s.sequence++, TraceLossCause::source_full, now});
  s.resumed_at = now;
  s.writes.pop_front();
}

bool Naive::pending_flush() const {
  bool inside = !frame_.empty();
  for (const Source& s : sources_) inside |= s.counts.encoded_bytes != s.formatted;
  if (d_.sink.reads == SinkReads::streaming && !buffer_.empty()) inside |= buffer_.back().number >= flushed_units_;
  return inside && !flushing_ && !ending_ && d_.link.flush_us.number > 0;
}

std::uint64_t Naive::next_burst() const {
  const auto most = static_cast<std::uint64_t>(d_.sink.burst_bytes.number);
  if (burst_ > 0 || buffer_.empty()) return 0;
  if (static_cast<std::int64_t>(flights_.size()) >= d_.sink.bursts_in_flight) return 0;
  if (d_.sink.reads == SinkReads::at_end && !read_out_) return 0;
  if (level() < most && !ending_ && buffer_.front().number >= flushed_units_) return 0;
  return std::min(level(), most);
}

/// True if the sink takes everything that the formatter can make of a word.
bool Naive::accepts(std::size_t word) const {
  if (d_.sink.full != WhenFull::stall) return true;
  std::size_t most = word;
  if (frames()) most = (14 + 2 + word) / 15 * (d_.formatter.sync_frames > 0 ? 20 : 16);
  return sink_before_ + most <= static_cast<std::uint64_t>(d_.sink.buffer_bytes.number);
}

void Naive::decide(Node& node, Time e, std::optional<std::size_t>& input) {
  const auto queue = [&](std::size_t i) -> std::deque<Word>& {
    return node.leaf ? sources_[node.inputs[i]].link : nodes_[node.inputs[i]].out;
  };
  const bool words = d_.link.grant == TraceGrant::words;
  if (words && node.granted && queue(node.last).empty()) node.granted = false, changed_ = true;
  if (node.out.size() >= static_cast<std::size_t>(d_.link.fifo_words)) return;
  std::vector<std::size_t> may_go, flushed;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (queue(i).empty()) continue;
    bool flush = ending_;
    for (const std::size_t s : node.sources[i]) flush |= flushing_ && node.passed[s] < sources_[s].mark;
    const Word& word = queue(i).front();
    const bool whole = word.size() == width_ || (!words && word.back().ends);
    if (node.leaf && d_.link.partial == PartialWords::at_flush && !whole && !flush) continue;
    may_go.push_back(i);
    if (flush) flushed.push_back(i);
  }
  if (may_go.empty()) return;
  const auto contains = [](const std::vector<std::size_t>& v, std::size_t i) {
    return std::find(v.begin(), v.end(), i) != v.end();
  };
  const auto in_turn = [&](const std::vector<std::size_t>& v) {
    for (std::size_t n = 1;; ++n)
      if (const std::size_t i = (node.last + n) % node.inputs.size(); contains(v, i)) return i;
  };
  if (!words) {
    if (!node.granted) input = in_turn(may_go);
    if (node.granted && contains(may_go, node.last)) input = node.last;
    return;
  }
  const std::int64_t used = d_.link.hold_counts == HoldCounts::words ? node.words : (e - node.since) / clock_;
  if (node.granted && contains(may_go, node.last) && used < d_.link.hold &&
      messages_[queue(node.last).front().front().message].source == node.last_source) {
    ++node.words;
    input = node.last;
    return;
  }
  std::vector<std::size_t> candidates = flushed.empty() ? may_go : flushed;
  std::int64_t best = 7;
  for (const std::size_t i : candidates) best = std::min(best, node.priority[i]);
  std::erase_if(candidates, [&](std::size_t i) { return node.priority[i] != best; });
  input = in_turn(candidates);
  node.words = 1;
  node.since = e;
}

void Naive::at_edge(Time e) {
  changed_ = false;
  if (stop_ && e >= *stop_) ending_ = true, flushing_ = false;
  sink_before_ = level();
  burst_left_ = 0;
  const Time period = d_.link.flush_us;
  if (pending_flush()) {
    bool date = false; // date in (e - clock, e]
    for (Time t = period * (e / period); t > e - clock_ && t > Time(); t -= period) date = true;
    if (date) {
      flushing_ = true;
      for (Source& s : sources_) s.mark = s.counts.encoded_bytes;
    }
  }

  // Decisions depend on the state before the edge.
  bool flush_ends = flushing_;
  bool all_formatted = true;
  for (const Source& s : sources_) {
    flush_ends &= s.formatted >= s.mark;
    all_formatted &= s.formatted == s.counts.encoded_bytes;
  }
  if (ending_) flush_ends = all_formatted && !frame_.empty();
  const bool fills_up = flush_ends && (frame_.empty() || accepts(0));
  std::optional<Word> to_format;
  Node& root = nodes_.back();
  if (!flush_ends && !root.out.empty() && accepts(root.out.front().size())) to_format = root.out.front();
  std::vector<std::optional<std::size_t>> inputs(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) decide(nodes_[n], e, inputs[n]);
  std::vector<std::size_t> fifo_before, link_before;
  for (const Source& s : sources_) fifo_before.push_back(s.fifo.size()), link_before.push_back(s.link.size());

  // The sink.
  if (burst_ > 0 && e == burst_end_) {
    Burst b{e + rounded(d_.sink.latency_ns), {}, {}, burst_};
    for (std::uint64_t left = burst_; left > 0; --left) {
      Unit& u = buffer_.front();
      const bool gap = offset_ == 0 && u.number != left_;
      if (b.chunks.empty() || gap) b.chunks.push_back({{}, gap, b.arrives});
      b.chunks.back().bytes.push_back(u.bytes[offset_++]);
      left_ = u.number;
      if (offset_ < u.bytes.size()) continue;
      b.units.push_back(u);
      buffer_.pop_front();
      offset_ = 0;
      ++left_;
    }
    burst_left_ = burst_;
    burst_ = 0;
    flights_.push_back(b);
    changed_ = true;
  }
  while (!flights_.empty() && flights_.front().arrives <= e) {
    land(flights_.front());
    flights_.pop_front();
    changed_ = true;
  }
  if (next_burst() > 0 && !dark(e)) {
    burst_ = next_burst();
    burst_end_ = e + rounded(d_.sink.burst_ns);
    ++counts_.bursts;
    changed_ = true;
  }
  // The formatter.
  if (fills_up) {
    if (!frame_.empty()) {
      put_item({true, 0}, e);
      while (!frame_.empty()) put_item({false, 0}, e), ++counts_.padding_bytes;
    }
    flushed_units_ = next_unit_;
    if (!ending_) ++counts_.flushes;
    flushing_ = false;
    changed_ = true;
  }
  if (to_format) {
    format(*to_format, e);
    root.out.pop_front();
    changed_ = true;
  }
  // The funnels.
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!inputs[n]) continue;
    Node& node = nodes_[n];
    std::deque<Word>& from = node.leaf ? sources_[node.inputs[*inputs[n]]].link : nodes_[node.inputs[*inputs[n]]].out;
    const Word word = from.front();
    from.pop_front();
    node.out.push_back(word);
    node.last = *inputs[n];
    node.last_source = messages_[word.front().message].source;
    node.granted = d_.link.grant == TraceGrant::words || !word.back().ends;
    node.passed[node.last_source] += word.size();
    changed_ = true;
  }
  for (const Node& node : nodes_)
    counts_.peak_funnel_words = std::max<std::uint64_t>(counts_.peak_funnel_words, node.out.size());
  // Ports, and messages that enter.
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    Source& s = sources_[i];
    const TraceSourceParams& p = d_.sources[i];
    const bool message = d_.link.grant == TraceGrant::message;
    const bool join = !s.link.empty() && s.link.back().size() < width_ && !(message && s.link.back().back().ends);
    if (fifo_before[i] > 0 && (join || link_before[i] < static_cast<std::size_t>(p.link_words))) {
      if (!join) s.link.emplace_back();
      s.counts.peak_link_words = std::max<std::uint64_t>(s.counts.peak_link_words, s.link.size());
      for (std::int64_t n = 0; n < p.port_bytes.number && !s.fifo.empty() && s.link.back().size() < width_; ++n) {
        s.link.back().push_back(s.fifo.front());
        s.fifo.pop_front();
        if (message && s.link.back().back().ends) break;
      }
      changed_ = true;
    }
    std::size_t used = fifo_before[i];
    const auto depth = static_cast<std::size_t>(p.fifo_bytes.number);
    const auto enters = [&](TraceKind kind) {
      const std::size_t before = s.fifo.size();
      enter(i, kind, e);
      used += s.fifo.size() - before;
      changed_ = true;
    };
    if (s.overflowing && used <= static_cast<std::size_t>(p.resume_bytes.number)) {
      s.overflowing = false;
      enters(TraceKind::overflow);
      enters(TraceKind::sync);
    } else if (s.sync_due && !s.overflowing && used + protocol_.longest_sync() <= depth) {
      enters(TraceKind::sync);
    }
    while (s.held > 0 && !s.sync_due && used + protocol_.longest_data(s.writes.front().payload.size()) <= depth) {
      s.counts.held.remove(s.writes.front().payload.size());
      enters(TraceKind::data);
      if (--s.held == 0) s.counts.stalled += e - s.held_since;
    }
  }
}

void Naive::format(const Word& word, Time e) {
  for (const Byte& b : word) {
    Message& m = messages_[b.message];
    if (frames()) {
      const auto id = static_cast<std::uint8_t>(m.source + 1);
      const auto most = static_cast<std::uint64_t>(d_.formatter.repeat_id_frames);
      while (id_ != id || (frame_.empty() && frames_since_id_ >= most)) put_item({true, id}, e);
    }
    if (!m.first_unit) m.first_unit = next_unit_;
    m.last_unit = next_unit_;
    ++sources_[m.source].formatted;
    if (--m.bytes == 0 && m.kind == TraceKind::data) {
      sources_[m.source].counts.inside.remove(m.payload);
      sources_[m.source].counts.formatted.add(m.payload);
    }
    if (frames()) put_item({false, b.value, b}, e);
  }
  if (frames()) return;
  std::vector<std::uint8_t> bytes;
  std::vector<Item> items;
  for (const Byte& b : word) bytes.push_back(b.value), items.push_back({false, b.value, b});
  unit_done(bytes, items, e);
}

void Naive::put_item(Item item, Time e) {
  frame_.push_back(item);
  if (item.is_id) id_ = item.value, frames_since_id_ = 0;
  if (frame_.size() < 15) return;
  std::vector<std::uint8_t> bytes(16);
  for (std::size_t i = 0; i < 15; ++i) { // an ID at an odd place changes places with the byte before it
    std::size_t at = i;
    if (i % 2 == 0 && i + 1 < 15 && frame_[i + 1].is_id) at = i + 1;
    if (i % 2 == 1 && frame_[i].is_id) at = i - 1;
    const Item& here = frame_[at];
    if (here.is_id) {
      bytes[i] = static_cast<std::uint8_t>(here.value * 2 + 1);
      if (at != i) bytes[15] = static_cast<std::uint8_t>(bytes[15] + (1 << (i / 2)));
    } else if (i % 2 == 1) {
      bytes[i] = here.value;
    } else {
      bytes[i] = static_cast<std::uint8_t>(here.value / 2 * 2);
      bytes[15] = static_cast<std::uint8_t>(bytes[15] + (here.value % 2 << (i / 2)));
    }
  }
  if (d_.formatter.sync_frames > 0 && frames_ % static_cast<std::uint64_t>(d_.formatter.sync_frames) == 0) {
    bytes.insert(bytes.begin(), {0xFF, 0xFF, 0xFF, 0x7F});
    counts_.full_sync_bytes += 4;
  }
  ++frames_;
  ++frames_since_id_;
  ++counts_.frame_bits_bytes;
  counts_.id_bytes +=
      static_cast<std::uint64_t>(std::count_if(frame_.begin(), frame_.end(), [](const Item& i) { return i.is_id; }));
  const std::vector<Item> items = std::exchange(frame_, {});
  unit_done(bytes, items, e);
}

void Naive::unit_done(const std::vector<std::uint8_t>& bytes, const std::vector<Item>& items, Time e) {
  const std::uint64_t number = next_unit_++;
  counts_.stream_bytes += bytes.size();
  const auto full = [&] { // bytes that left in a burst at this edge make no room at it; overwritten bytes do
    return level() + burst_left_ + bytes.size() > static_cast<std::uint64_t>(d_.sink.buffer_bytes.number);
  };
  if (d_.sink.full == WhenFull::drop_oldest) {
    std::size_t kept = 0;
    for (std::uint64_t covered = 0; covered < offset_ + burst_; ++kept) covered += buffer_[kept].bytes.size();
    while (full() && buffer_.size() > kept) {
      const Unit oldest = buffer_[kept];
      buffer_.erase(buffer_.begin() + static_cast<std::ptrdiff_t>(kept));
      lose_unit(oldest.number, oldest.bytes.size(), TraceLossCause::overwritten, e);
    }
  }
  if (full())
    return lose_unit(number, bytes.size(),
                     d_.sink.full == WhenFull::drop_oldest ? TraceLossCause::overwritten : TraceLossCause::sink_full,
                     e);
  buffer_.push_back({number, bytes, items});
  counts_.peak_sink_bytes = std::max(counts_.peak_sink_bytes, level());
}

void Naive::lose_unit(std::uint64_t number, std::size_t bytes, TraceLossCause cause, Time e) {
  counts_.lost_stream_bytes[static_cast<std::size_t>(cause)] += bytes;
  lost_units_.insert(number);
  for (Message& m : messages_)
    if (m.bytes == 0 && m.last_unit == number && !m.judged) lose(m, cause, e);
}

void Naive::lose(Message& m, TraceLossCause cause, Time t) {
  m.judged = true;
  if (m.kind != TraceKind::data) return;
  counts_.lost[static_cast<std::size_t>(cause)].add(m.payload);
  outcome_.losses.push_back({m.source, m.sequence, cause, t});
}

void Naive::land(const Burst& burst) {
  counts_.delivered_bytes += burst.bytes;
  counts_.end = burst.arrives;
  for (const TraceChunk& chunk : burst.chunks) outcome_.stream.push_back(chunk);
  for (const Unit& unit : burst.units) read(unit, burst.arrives);
}

void Naive::read(const Unit& unit, Time t) {
  if (unit.number != next_read_) { // after a gap, the reader has lost its state
    knows_whose_ = false;
    framed_.assign(framed_.size(), false);
    synced_.assign(synced_.size(), false);
    for (Message& m : messages_) m.broken |= m.begun;
  }
  next_read_ = unit.number + 1;
  for (const Item& item : unit.items) {
    if (item.is_id) knows_whose_ = true;
    if (item.byte) read(*item.byte, t);
  }
}

void Naive::read(const Byte& byte, Time t) {
  Message& m = messages_[byte.message];
  const bool packets = d_.protocol.encoding == TraceEncoding::packets;
  const std::size_t reader = frames() ? m.source : 0;
  const bool seen = knows_whose_ || !frames();
  m.begun |= byte.begins;
  m.broken |= !seen || !m.begun || (byte.begins && !packets && !framed_[reader]);
  if (!byte.ends) return;
  if (seen) framed_[reader] = true;
  m.judged = true;
  if (m.kind == TraceKind::sync && !m.broken) synced_[m.source] = true;
  if (m.kind != TraceKind::data) return;
  const auto gap = lost_units_.lower_bound(*m.first_unit);
  if (gap != lost_units_.end() && *gap <= m.last_unit)
    return lose(m, d_.sink.full == WhenFull::drop_oldest ? TraceLossCause::overwritten : TraceLossCause::sink_full, t);
  if (m.broken || !synced_[m.source]) return lose(m, TraceLossCause::no_sync, t);
  counts_.delivered.add(m.payload);
  outcome_.delivered.push_back({m.source, m.sequence, m.timestamp, m.written, m.entered, t});
}

TraceSnapshot Naive::snapshot(Time now) const {
  TraceSnapshot shot{counts_, {}, {}};
  TraceFunnelCounts& c = shot.counts;
  for (const Source& s : sources_) {
    TraceSourceCounts own = s.counts;
    if (s.held > 0) own.stalled += now - s.held_since;
    shot.sources.push_back(own);
    shot.resumed_at.push_back(s.held > 0 ? std::nullopt : std::optional(s.resumed_at));
    c.written += own.written;
    c.lost[0] += own.dropped;
    c.held += own.held;
    c.inside += own.inside;
    c.encoded_bytes += own.encoded_bytes;
    c.stalled += own.stalled;
  }
  for (const Message& m : messages_)
    if (m.kind == TraceKind::data && m.bytes == 0 && !m.judged) c.in_sink.add(m.payload);
  c.in_sink_bytes = level();
  for (const Burst& b : flights_) c.in_sink_bytes += b.bytes;
  return shot;
}

TraceOutcome Naive::run(const std::vector<Time>& horizons) {
  std::size_t next = 0;
  bool last = stop_.has_value(); // afterwards nothing happens any more
  for (Time e;; e += clock_) {
    // Writes before the edge, and horizons up to it. Writes at a horizon come after it.
    for (;;) {
      Source* first = nullptr;
      for (Source& s : sources_)
        if (s.writes.size() > s.held && (first == nullptr || s.writes[s.held].time < first->writes[first->held].time))
          first = &s;
      const Time time = first != nullptr ? first->writes[first->held].time : Time::never();
      if (next < horizons.size() && horizons[next] <= e && horizons[next] <= time) {
        outcome_.snapshots.push_back(snapshot(horizons[next++]));
      } else if (time < e) {
        write(static_cast<std::size_t>(first - sources_.data()), time);
      } else {
        break;
      }
    }
    at_edge(e);
    if (ending_ && !changed_ && !read_out_) read_out_ = changed_ = true;
    bool to_come = burst_ > 0 || !flights_.empty() || next_burst() > 0 || pending_flush() || (stop_ && !ending_);
    for (const Source& s : sources_) to_come |= s.writes.size() > s.held;
    if (changed_ || to_come) continue;
    while (next < horizons.size()) outcome_.snapshots.push_back(snapshot(horizons[next++]));
    if (last) break;
    last = ending_ = true;
    flushing_ = false;
  }
  outcome_.snapshots.push_back(snapshot(Time()));
  std::sort(outcome_.losses.begin(), outcome_.losses.end(), [](const LostTrace& a, const LostTrace& b) {
    return std::tie(a.time, a.source, a.sequence) < std::tie(b.time, b.source, b.sequence);
  });
  return outcome_;
}

} // namespace

TraceOutcome naive_trace_funnel(const TraceFunnelDesign& design, const std::vector<TraceWrite>& writes,
                                std::optional<Time> stop, const std::vector<Time>& horizons) {
  return Naive(design, writes, stop).run(horizons);
}

} // namespace hypermon::testing
