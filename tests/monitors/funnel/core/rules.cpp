// SPDX-License-Identifier: BSD-3-Clause
// Each rule of docs/design/funnel.md, and each published number, with its derivation.
#include "hw/funnel/core/trace_decoder.hpp"
#include "hw/funnel/core/trace_funnel.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

using namespace hypermon;

namespace {

/// A clock cycle is 1 ns, a burst has at least one byte in one cycle, and costs are those that a test sets.
TraceFunnelDesign plain(std::size_t sources) {
  TraceFunnelDesign d;
  d.sources.resize(sources);
  for (TraceSourceParams& s : d.sources) s.fifo_bytes = 1 << 20;
  d.protocol.sync_every = 0;
  d.link.clock_ns = 1;
  d.formatter.sync_frames = 0;
  d.sink.buffer_bytes = 1 << 20;
  d.sink.burst_ns = 1;
  return d;
}
/// The same of N-Trace: whole messages, no frames.
TraceFunnelDesign plain_nexus(std::size_t sources) {
  TraceFunnelDesign d = plain(sources);
  d.protocol.encoding = TraceEncoding::nexus;
  d.link.grant = TraceGrant::message;
  d.formatter.format = TraceFormat::none;
  d.sink.burst_bytes = 4;
  return d;
}

class Funnel : public TraceFunnel {
public:
  explicit Funnel(const TraceFunnelDesign& design) : TraceFunnel(design), decoder_(design) {
    on_loss([this](const LostTrace& loss) { losses.push_back(loss); });
    on_stream([this](std::span<const std::uint8_t> bytes, bool gap, Time time) {
      times.push_back(time);
      decoder_.read(bytes, gap, [this](const TraceMessage& m) { told.push_back(m); });
    });
  }
  void message(std::uint32_t source, Time at, std::size_t bytes = 8) {
    write(source, at, std::vector<std::uint8_t>(bytes, 0x5A));
  }
  void messages(std::size_t count, Time at, std::size_t bytes = 8) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::uint32_t s = 0; s < sources(); ++s) message(s, at, bytes);
  }
  TraceFunnelCounts end() {
    finish();
    return counts();
  }
  std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> sources;
    for (const DeliveredTrace& d : delivered()) sources.push_back(d.source);
    return sources;
  }
  std::vector<LostTrace> losses;
  std::vector<TraceMessage> told;
  std::vector<Time> times; // times of bursts

private:
  TraceDecoder decoder_;
};

/// Latency of a source's only message before a long silence.
Time latency(const TraceFunnelDesign& design, Time written) {
  Funnel f(design);
  f.message(0, written);
  f.finish();
  REQUIRE(f.delivered().size() == 1);
  return f.delivered().front().delivered - written;
}

double efficiency(const TraceFunnelCounts& c) {
  return static_cast<double>(c.encoded_bytes) / static_cast<double>(c.stream_bytes);
}

} // namespace

TEST_CASE("two busy sources on 4 bytes: with hold h they get 4 h / (4 h + 1) of 15/16") {
  for (const std::int64_t hold : {1, 2, 4, 15}) {
    TraceFunnelDesign d = plain(2);
    d.link.hold = hold;
    Funnel f(d);
    f.messages(3000, 0_ns);
    const TraceFunnelCounts c = f.end();
    const double h = static_cast<double>(hold);
    CHECK(std::abs(efficiency(c) - 4 * h / (4 * h + 1) * 15 / 16) < 0.002);
  }
  // The design guide's: 75 % and 88 %.
  CHECK(std::lround(100 * (4.0 / 5 * 15 / 16)) == 75);
  CHECK(std::lround(100 * (16.0 / 17 * 15 / 16)) == 88);
}

TEST_CASE("a source that is alone has its number said every 8 frames: 119 of 128 bytes are its own") {
  Funnel f(plain(1));
  f.messages(5000, 0_ns);
  const TraceFunnelCounts c = f.end();
  const std::uint64_t frames = c.stream_bytes / 16;
  const std::uint64_t padded = c.padding_bytes > 0 ? 1 : 0; // the last frame is filled up after nobody's number
  CHECK(c.id_bytes == (frames + 7) / 8 + padded);
  CHECK(std::abs(efficiency(c) - 119.0 / 128) < 0.001);
}

TEST_CASE("a full synchronisation packet comes before the first frame and every 64th after it") {
  TraceFunnelDesign d = plain(1);
  d.formatter.sync_frames = 64;
  Funnel f(d);
  f.messages(1000, 0_ns);
  const TraceFunnelCounts c = f.end();
  const std::uint64_t frames = c.frame_bits_bytes; // one byte each
  CHECK(c.full_sync_bytes == 4 * ((frames + 63) / 64));
  CHECK(c.stream_bytes == 16 * frames + c.full_sync_bytes);
}

TEST_CASE("a word takes one edge each for port, funnel and formatter, then its burst begins, and takes its time") {
  TraceFunnelDesign d = plain_nexus(1);
  d.sink.burst_bytes = 1;
  d.sink.burst_ns = 5;
  d.sink.latency_ns = 7;
  d.link.width_bits = 128;
  d.sources[0].port_bytes = 16;
  // 8 bytes of data: (6 + 6 + 64) / 6 -> 13 bytes, a difference of 100 (1000 ns of 10): 2 more. All in one word.
  const std::size_t size = TraceProtocol(d.protocol).data_size(8, 100);
  REQUIRE(size == 15);
  // Written at edge n it comes after it: port n + 1, funnel n + 2, formatter n + 3, bursts from n + 4 on, one after the
  // other; and so if it is written until just before n + 1.
  CHECK(latency(d, 1000_ns) == 4_ns + 15 * 5_ns + 7_ns);
  CHECK(latency(d, 1000_ns + 999_ps) == 4_ns + 15 * 5_ns + 7_ns - 999_ps);
  // Each further level of funnels takes an edge: 3 sources with 2 for each funnel need two levels.
  d.sources.resize(3, d.sources[0]);
  d.link.inputs = 2;
  CHECK(latency(d, 1000_ns) == 5_ns + 15 * 5_ns + 7_ns);
}

TEST_CASE("a link moves a word a clock: 4 bytes in 1 ns, or what the port gives") {
  for (const std::int64_t port : {1, 2, 4}) {
    TraceFunnelDesign d = plain(1);
    d.sources[0].port_bytes = port;
    Funnel f(d);
    f.messages(4000, 0_ns);
    const TraceFunnelCounts c = f.end();
    const double edges = static_cast<double>(c.encoded_bytes) / static_cast<double>(port);
    CHECK(std::abs(c.end.microseconds() * 1e3 - edges) < 0.01 * edges);
  }
}

TEST_CASE("of sources that wait the highest priority comes first, equal ones in turn") {
  TraceFunnelDesign d = plain_nexus(3);
  d.link.grant = TraceGrant::words;
  d.formatter.format = TraceFormat::frames;
  d.link.hold = 1;
  d.sources[0].priority = 1;
  Funnel f(d);
  f.messages(20, 1_us);
  f.finish();
  const auto order = f.order();
  const auto first_low = std::find(order.begin(), order.end(), 0u) - order.begin();
  const std::vector<std::uint32_t> high(order.begin(), order.begin() + first_low);
  CHECK(std::count(high.begin(), high.end(), 1u) >= 19); // except for the bytes in the last word
  CHECK(std::count(high.begin(), high.end(), 2u) >= 19);
  for (std::size_t i = 2; i + 2 < high.size(); ++i) CHECK(high[i] == high[i - 2]);
}

TEST_CASE("a hold ends when its source is empty, and with cycles also while the formatter waits") {
  // Source 1 is busy; source 0 has a message each 200 ns: 3 words, and then no more of its 15.
  TraceFunnelDesign d = plain(2);
  d.link.hold = 15;
  Funnel f(d);
  for (int i = 0; i < 10000; ++i) f.message(1, 0_ns);
  for (int i = 1; i < 100; ++i) f.message(0, Time::from_ns(200 * i));
  const TraceFunnelCounts c = f.end();
  const double words = static_cast<double>(c.encoded_bytes) / 4;
  CHECK(std::abs(c.end.microseconds() * 1e3 - words) < 0.01 * words); // no clock without one
  for (const DeliveredTrace& m : f.delivered()) // 15 words of the other and its own, 2 bursts of 16, the pipeline
    if (m.source == 0) CHECK(m.delivered - m.written < 60_ns);

  // The sink takes a frame every 160 ns: 15 words of a hold, or 15 cycles, of which a word has many.
  const auto changes = [](HoldCounts counts) {
    TraceFunnelDesign slow = plain(2);
    slow.link.hold = 15;
    slow.link.hold_counts = counts;
    slow.sink.buffer_bytes = 64;
    slow.sink.burst_bytes = 16;
    slow.sink.burst_ns = 160;
    Funnel funnel(slow);
    funnel.messages(300, 0_ns);
    const TraceFunnelCounts end = funnel.end();
    return static_cast<double>(end.id_bytes) / (static_cast<double>(end.encoded_bytes) / 4);
  };
  CHECK(std::abs(changes(HoldCounts::words) - 1.0 / 15) < 0.02);
  CHECK(changes(HoldCounts::cycles) > 0.2); // a change after each wait: a frame's 14 bytes are 3.5 words
}

TEST_CASE("N-Trace: one message an input, in turn, and no word has bytes of two") {
  TraceFunnelDesign d = plain_nexus(4);
  Funnel f(d);
  for (std::uint32_t s = 0; s < 4; ++s)
    for (int i = 0; i < 30; ++i) f.message(s, 1_us, 1 + s * 4); // long messages get no more turns than short ones
  f.finish();
  const auto order = f.order();
  REQUIRE(order.size() == 120);
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == i % 4);
  CHECK(f.told.size() == 120 + 4); // also one sync for each source
}

TEST_CASE("a full source drops until it has drained: to its level, or until it is empty, then marker and sync come") {
  for (const std::int64_t level : {0, 20}) { // PTM: until empty; N-Trace: a hysteresis level
    TraceFunnelDesign d = plain_nexus(1);
    d.sources[0].fifo_bytes = 76; // two messages of 38
    d.sources[0].resume_bytes = level;
    d.sources[0].port_bytes = 1;
    Funnel f(d);
    for (int i = 0; i < 10; ++i) f.message(0, 1_us + 1_ps);
    // The first message takes 13 + 2 B (its difference is 100), the others 13 + 1: the FIFO has 15, 29, 43, 57 B. Each
    // needs room for the longest timestamp of 48 bits, 13 + 8 = 21 B: the fifth would need 78. A byte leaves at each
    // edge from 1001 ns on, so that the FIFO has 57 - k before the edge at 1001 ns + k.
    const Time resumes = 1001_ns + Time::from_ns(57 - level);
    f.message(0, resumes - 1_ps);
    f.message(0, resumes); // exactly at the edge: it enters after it
    f.finish();
    std::vector<std::uint64_t> lost;
    for (const LostTrace& loss : f.losses) lost.push_back(loss.sequence);
    CHECK(lost == std::vector<std::uint64_t>{4, 5, 6, 7, 8, 9, 10});
    std::vector<TraceKind> kinds;
    for (const TraceMessage& m : f.told) kinds.push_back(m.kind);
    using K = TraceKind;
    CHECK(kinds == std::vector<K>{K::sync, K::data, K::data, K::data, K::data, K::overflow, K::sync, K::data});
    CHECK(f.counts(0).overflows == 1);
  }
}

TEST_CASE("a full source that stalls lets its node go on at the first edge before which there was room") {
  TraceFunnelDesign d = plain_nexus(1);
  d.sources[0].fifo_bytes = 76;
  d.sources[0].full = WhenFull::stall;
  d.sources[0].port_bytes = 1;
  Funnel f(d);
  for (int i = 0; i < 5; ++i) f.message(0, 1_us);
  f.advance(1_us + 1_ps);
  CHECK(f.resumed_at(0) == std::nullopt);
  // 57 B are in; 21 more need 55 or fewer: 2 bytes leave at 1001 and 1002 ns, and the next edge finds room.
  CHECK(f.earliest_resume(0) == 1003_ns);
  f.advance(1003_ns);
  CHECK(f.resumed_at(0) == std::nullopt);
  CHECK(f.counts(0).stalled == 3_ns);
  f.advance(1003_ns + 1_ps);
  CHECK(f.resumed_at(0) == 1003_ns);
  CHECK(f.end().stalled == 3_ns);
  CHECK(f.losses.empty());
  CHECK(f.delivered().back().timestamp == 100); // in units of 10 ns: the time at which it entered
}

TEST_CASE("N-Trace: a sync comes after every 2^(m + 4) messages, ETMv4: after 2^n bytes") {
  for (const std::int64_t m : {0, 1, 3}) {
    TraceFunnelDesign d = plain_nexus(1);
    d.protocol.sync_counts = SyncCounts::messages;
    d.protocol.sync_every = 1 << (m + 4);
    Funnel f(d);
    for (int i = 0; i < 1000; ++i) f.message(0, 1_us + Time::from_ns(100 * i));
    f.finish();
    std::int64_t since = 0;
    std::size_t syncs = 0;
    for (const TraceMessage& message : f.told) {
      if (message.kind == TraceKind::sync) {
        CHECK(since == (syncs++ == 0 ? 0 : d.protocol.sync_every));
        since = 0;
      } else {
        ++since;
      }
    }
    CHECK(syncs == 1 + 1000 / static_cast<std::size_t>(d.protocol.sync_every));
  }
  TraceFunnelDesign d = plain(1);
  d.protocol.sync_every = 256;
  Funnel f(d);
  for (int i = 0; i < 1000; ++i) f.message(0, 1_us + Time::from_ns(100 * i)); // 10 B each, the first 11
  f.finish();
  CHECK(f.counts(0).syncs == 1 + (11 + 999 * 10) / (26 * 10)); // 26 messages have at least 256 B
}

TEST_CASE("a hardware FIFO holds back and loses nothing, a circular one has the last of its bytes, one that stops, the "
          "first") {
  const auto run = [](WhenFull full, SinkReads reads) {
    TraceFunnelDesign d = plain(1);
    d.protocol.sync_every = 100;
    d.sink.buffer_bytes = 1024;
    d.sink.full = full;
    d.sink.reads = reads;
    Funnel f(d);
    for (int n = 0; n < 1000; ++n) f.message(0, Time::from_ns(10 * n)); // in sequence, so that syncs find their places
    f.finish();
    std::vector<std::uint64_t> sequences;
    for (const DeliveredTrace& m : f.delivered()) sequences.push_back(m.sequence);
    CHECK(sequences.size() + f.losses.size() == 1000);
    if (reads == SinkReads::at_end) CHECK(f.counts().delivered_bytes == 1024);
    return sequences;
  };
  CHECK(run(WhenFull::stall, SinkReads::streaming).size() == 1000);
  const auto last = run(WhenFull::drop_oldest, SinkReads::at_end);
  const auto first = run(WhenFull::drop_newest, SinkReads::at_end);
  // 64 frames of 16 B: 15 bytes of each, minus 8 IDs, carry messages of 10 B and a sync of 13 to 19 B after every 100
  // B. Of the last messages, those before the first sync cannot be read.
  const std::size_t carried = 64 * 15 - 8;
  REQUIRE((!last.empty() && !first.empty()));
  CHECK(last.back() == 999);
  CHECK(first.front() == 0);
  for (const auto& some : {last, first}) {
    CHECK(some.size() >= (carried - 119 - 15) * 100 / 119 / 10 - 3);
    CHECK(some.size() <= carried / 10);
    CHECK(some.back() - some.front() + 1 == some.size());
  }
}

TEST_CASE("after a gap a source's messages are lost until its next sync") {
  TraceFunnelDesign d = plain_nexus(2);
  d.protocol.sync_counts = SyncCounts::messages;
  d.protocol.sync_every = 16;
  d.sink.full = WhenFull::drop_newest;
  d.sink.buffer_bytes = 64;
  d.sink.blackouts_ms = "0.0100+0.0009";
  Funnel f(d);
  for (int i = 0; i < 64; ++i)
    f.message(i % 2 == 0 ? 0 : 1, Time::from_ns(500 * i)); // each source has a sync after its 16th and 32nd message
  f.finish();
  // From 10 to 10.9 us the buffer fills: with the message at 10 us (14 or 15 B) and that at 10.5 us. The link's last
  // words of neither find room. So nothing is lost here; in a longer blackout, half of it is.
  CHECK(f.losses.empty());
  d.sink.blackouts_ms = "0.0100+0.0029";
  Funnel g(d);
  for (int i = 0; i < 64; ++i) g.message(i % 2 == 0 ? 0 : 1, Time::from_ns(500 * i));
  g.finish();
  // 6 messages of 14 or 15 B at 10, 10.5, ..., 12.5 us, that is 20 to 25: the fifth does not fit. Then nobody's can be
  // read up to his sync, after messages 30 (source 0) and 31 (source 1).
  std::map<std::uint32_t, std::vector<std::uint64_t>> lost;
  for (const LostTrace& loss : g.losses) {
    lost[loss.source].push_back(loss.sequence);
    CHECK(loss.cause == (loss.sequence == 12 ? TraceLossCause::sink_full : TraceLossCause::no_sync));
  }
  CHECK(lost[0] == std::vector<std::uint64_t>{12, 13, 14, 15});
  CHECK(lost[1] == std::vector<std::uint64_t>{12, 13, 14, 15});
}

TEST_CASE("bursts in flight bound what a memory takes: 32 of 16 bytes in 320 ns are 1.6 bytes a ns") {
  TraceFunnelDesign d = plain(1);
  d.sink.burst_bytes = 16;
  d.sink.latency_ns = 319; // and 1 ns on the bus
  d.sink.bursts_in_flight = 32;
  Funnel f(d);
  f.messages(10000, 0_ns);
  const TraceFunnelCounts c = f.end();
  CHECK(std::abs(static_cast<double>(c.stream_bytes) / (c.end.microseconds() * 1e3) - 1.6) < 0.02);
}

TEST_CASE("a blackout needs a buffer of its length times the rate, and not a byte less than a burst of it") {
  // A message of 10 B each 40 ns: 0.25 B/ns, in frames a little more; 10 us of blackout.
  const auto lost = [](std::int64_t buffer) {
    TraceFunnelDesign d = plain(1);
    d.sink.full = WhenFull::drop_newest;
    d.sink.buffer_bytes = buffer;
    d.sink.blackout_at_ms = 0.005;
    d.sink.blackout_for_ms = 0.010;
    Funnel f(d);
    for (int i = 0; i < 1000; ++i) f.message(0, Time::from_ns(40 * i));
    f.finish();
    for (const Time t : f.times) CHECK((t <= 5_us + 1_ns || t > 15_us)); // a burst that has begun is completed
    return f.losses.size();
  };
  const double frames = 0.25 * 10000 / (119.0 / 8) * 16; // bytes in 10 us
  CHECK(lost(static_cast<std::int64_t>(frames) + 64 + 16) == 0);
  CHECK(lost(static_cast<std::int64_t>(frames) - 64) > 0);
}

TEST_CASE("blackouts come again, and as they are listed") {
  TraceFunnelDesign d = plain(1);
  d.sink.burst_bytes = 16;
  d.sink.blackout_at_ms = 0.002;
  d.sink.blackout_for_ms = 0.001;
  d.sink.blackout_every_ms = 0.004;
  d.sink.blackouts_ms = "0.0005+0.0005 0.0081+0.0003";
  Funnel f(d);
  for (int i = 0; i < 2000; ++i) f.message(0, Time::from_ns(10 * i));
  f.finish();
  std::size_t seen = 0;
  for (const Time end : f.times) {
    const std::int64_t begin = end.ps() / 1000 - 1; // a burst takes 1 ns
    CHECK(!(begin % 4000 >= 2000 && begin % 4000 < 3000));
    CHECK(!(begin >= 500 && begin < 1000));
    CHECK(!(begin >= 8100 && begin < 8400));
    ++seen;
  }
  CHECK(seen > 500);
}

TEST_CASE("a FIFO behind a source helps against a busy funnel, and not against a slow port") {
  // 2.5 B a ns for 200 ns come to a FIFO of 64 B. Behind a port of 1 B it overflows however deep the link's FIFO is.
  const auto lost = [](std::int64_t port, std::int64_t link_words, std::size_t sources) {
    TraceFunnelDesign d = plain(sources);
    d.sources[0].fifo_bytes = 64;
    d.sources[0].port_bytes = port;
    d.sources[0].link_words = link_words;
    d.sources[0].priority = 7;
    Funnel f(d);
    for (int i = 0; i < 50; ++i) f.message(0, 1_us + Time::from_ns(4 * i));
    for (std::uint32_t s = 1; s < sources; ++s)
      for (int i = 0; i < 100; ++i) f.message(s, 1_us);
    f.finish();
    return f.losses.size();
  };
  CHECK(lost(4, 2, 1) == 0);
  CHECK(lost(1, 2, 1) > 0);
  CHECK(lost(1, 1000, 1) == lost(1, 2, 1));
  CHECK(lost(4, 2, 2) > 0); // the funnel serves the other source
  CHECK(lost(4, 200, 2) == 0);
}

TEST_CASE("words that wait until they are full make a narrow port's bytes share a source's number") {
  const auto ids = [](PartialWords partial) {
    TraceFunnelDesign d = plain(2);
    d.link.hold = 1;
    d.link.partial = partial;
    d.sources[0].port_bytes = d.sources[1].port_bytes = 1;
    Funnel f(d);
    f.messages(400, 0_ns);
    const TraceFunnelCounts c = f.end();
    return static_cast<double>(c.encoded_bytes) / static_cast<double>(c.id_bytes);
  };
  CHECK(std::abs(ids(PartialWords::at_flush) - 4) < 0.1); // bytes a number
  CHECK(ids(PartialWords::at_once) < 2.1);
}

TEST_CASE("what is not a full word, frame or burst reaches the analyst at the next flush") {
  TraceFunnelDesign d = plain(1);
  d.link.partial = PartialWords::at_flush;
  d.link.flush_us = 3;
  Funnel f(d);
  f.message(0, 4_us);
  f.stop(20_us);
  f.finish();
  REQUIRE(f.delivered().size() == 1);
  // The flush begins at 6 us: the last word goes to the funnel at that edge, and to the formatter at the next. At the
  // third, everything is formatted and the frame is filled. A burst begins at the fourth, and ends a clock cycle later.
  CHECK(f.delivered().front().delivered == 6_us + 4_ns);
  CHECK(f.counts().flushes == 2); // also the flush of the sync, at 3 us
}

TEST_CASE("the last timestamp bits, of one counter for all") {
  TraceFunnelDesign d = plain(2);
  d.protocol.timestamp_bits = 16;
  d.protocol.timestamp_ns = 100;
  Funnel f(d);
  f.message(0, 70_us);
  f.message(1, 70_us + 99_ns);
  f.message(1, 70_us + 100_ns);
  f.message(0, 7000_us); // 70 000 counts: 65 536 less
  f.finish();
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> stamps;
  for (const DeliveredTrace& m : f.delivered()) stamps[{m.source, m.sequence}] = m.timestamp;
  CHECK(stamps[{0, 0}] == 700);
  CHECK(stamps[{1, 0}] == 700);
  CHECK(stamps[{1, 1}] == 701);
  CHECK(stamps[{0, 1}] == 70000 - 65536);
}

TEST_CASE("a probe is told of every write and edge, with what is inside") {
  struct Watching : TraceProbe {
    std::size_t writes = 0, most_bytes = 0;
    std::uint64_t most_sink = 0;
    bool flushed = false, read = false, granted = false;
    Time last;
    void written(std::uint32_t, Time, std::size_t) override { ++writes; }
    void changed(Time time, const TraceFunnelState& state) override {
      CHECK(time >= last);
      last = time;
      CHECK(state.sources.size() == 3);
      CHECK(state.funnels.size() == 2 + 1); // two of the sources, and the root
      for (const auto& s : state.sources) most_bytes = std::max<std::size_t>(most_bytes, s.fifo_bytes);
      most_sink = std::max(most_sink, state.sink_bytes);
      flushed |= state.flushing;
      read |= state.reading;
      granted |= state.funnels.back().granted >= 0;
    }
  } watching;
  TraceFunnelDesign d = plain(3);
  d.link.inputs = 2;
  Funnel f(d);
  f.attach(&watching);
  f.messages(10, 1_us);
  const TraceFunnelCounts c = f.end();
  CHECK(watching.writes == 30);
  CHECK(watching.most_bytes == f.counts(0).peak_fifo_bytes);
  CHECK(watching.most_sink == c.peak_sink_bytes);
  CHECK((watching.flushed && watching.read && watching.granted));
}

TEST_CASE("misuse is refused") {
  TraceFunnelDesign wrong = plain(1);
  wrong.sources[0].port_bytes = 8;
  CHECK_THROWS_AS(TraceFunnel(wrong), std::invalid_argument);
  TraceFunnelDesign d = plain(1);
  d.sources[0].fifo_bytes = 64;
  Funnel f(d);
  CHECK_THROWS_AS(f.message(0, 0_ns, 0), std::invalid_argument);
  f.message(0, 0_ns, f.longest_payload(0));
  CHECK_THROWS_AS(f.message(0, 0_ns, f.longest_payload(0) + 1), std::invalid_argument);
  f.advance(1_us);
  CHECK_THROWS_AS(f.message(0, 999_ns), std::logic_error);
  CHECK_THROWS_AS(f.advance(999_ns), std::logic_error);
  f.stop(2_us);
  CHECK_THROWS_AS(f.message(0, 2_us), std::logic_error);
}
