// SPDX-License-Identifier: BSD-3-Clause
// Messages to bytes and back; frames to bytes and back; what a design may be.
#include "hw/funnel/core/design.hpp"
#include "hw/funnel/core/formatter.hpp"
#include "hw/funnel/core/params.hpp"
#include "hw/funnel/core/protocol.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

#include <algorithm>
#include <bit>
#include <map>

using namespace hypermon;
using hypermon::testing::Random;

namespace {

TraceProtocolParams packets() { return {}; }
TraceProtocolParams nexus() {
  TraceProtocolParams p;
  p.encoding = TraceEncoding::nexus;
  p.timestamp_bits = 40;
  return p;
}

std::vector<TraceMessage> read_back(const TraceProtocolParams& params, const std::vector<std::uint8_t>& bytes,
                                    std::size_t lost_after = ~std::size_t{0}, std::size_t lost = 0) {
  std::vector<TraceMessage> told;
  TraceReader reader(params, 3);
  const auto tell = [&](const TraceMessage& m) { told.push_back(m); };
  const std::span<const std::uint8_t> all(bytes);
  reader.read(all.first(std::min(lost_after, all.size())), tell);
  if (lost_after < all.size()) {
    reader.lost();
    reader.read(all.subspan(std::min(lost_after + lost, all.size())), tell);
  }
  return told;
}

std::size_t groups(std::size_t bits, std::size_t size) { return (bits + size - 1) / size; }

} // namespace

TEST_CASE("a message of packets has a header for each 8 bytes, and its timestamp in groups of 7 bits") {
  const TraceProtocol p(packets());
  CHECK(p.data_size(8, 0) == 1 + 8 + 1);
  CHECK(p.data_size(9, 127) == 2 + 9 + 1);
  CHECK(p.data_size(9, 128) == 2 + 9 + 2);
  CHECK(p.sync_size(0) == 11 + 1 + 1);
  CHECK(p.longest_sync() == 12 + groups(48, 7));
  CHECK(p.overflow_size() == 1);
}

TEST_CASE("a nexus message has 6 bits a byte, its fields begin at bytes, and no message has more than 38 bytes") {
  const TraceProtocol p(nexus()); // 6 bits of TCODE, 6 of source
  CHECK(p.data_size(1, 0) == groups(6 + 6 + 8, 6) + 1);
  CHECK(p.data_size(8, 64) == groups(6 + 6 + 64, 6) + groups(7, 6));
  CHECK(p.sync_size(0) == groups(6 + 6 + 4, 6) + 1);
  CHECK(p.overflow_size() == groups(6 + 6 + 4, 6));
  const std::size_t longest = p.longest_payload(1000);
  CHECK(p.longest_data(longest) <= 38);
  CHECK(p.longest_data(longest + 1) > 38);
}

TEST_CASE("what is written has the size that was said, and is read back") {
  Random random(7);
  for (int round = 0; round < 400; ++round) {
    TraceProtocolParams params = random.one_in(2) ? packets() : nexus();
    params.source_bits = random.between(2, 12);
    params.timestamp_bits = random.pick({16, 40, 48, 64});
    const TraceProtocol p(params);
    std::vector<std::uint8_t> bytes;
    std::vector<TraceMessage> written;
    std::uint64_t clock = random.engine() & p.timestamp_mask();
    const auto begin = [&](TraceKind kind) { return TraceMessage{3, kind, clock, {}}; };
    p.write_sync(3, clock, bytes);
    written.push_back(begin(TraceKind::sync));
    for (int i = 0; i < 20; ++i) {
      const std::size_t before = bytes.size();
      if (random.one_in(6)) {
        p.write_overflow(3, bytes);
        CHECK(bytes.size() - before == p.overflow_size());
        written.push_back(begin(TraceKind::overflow));
      } else if (random.one_in(6)) {
        clock = random.engine() & p.timestamp_mask();
        p.write_sync(3, clock, bytes);
        CHECK(bytes.size() - before == p.sync_size(clock));
        written.push_back(begin(TraceKind::sync));
      } else {
        const std::uint64_t difference = (random.engine() >> random.below(64)) & p.timestamp_mask();
        clock = (clock + difference) & p.timestamp_mask();
        TraceMessage m = begin(TraceKind::data);
        m.payload.resize(static_cast<std::size_t>(random.between(1, static_cast<std::int64_t>(p.longest_payload(40)))));
        for (std::uint8_t& byte : m.payload) byte = static_cast<std::uint8_t>(random.one_in(2) ? 0 : random.below(256));
        p.write_data(3, m.payload, difference, bytes);
        CHECK(bytes.size() - before == p.data_size(m.payload.size(), difference));
        written.push_back(m);
      }
    }
    REQUIRE(read_back(params, bytes) == written);
  }
}

TEST_CASE("after a gap a reader begins at the next sync, whatever the bytes are that it finds before it") {
  Random random(8);
  for (int round = 0; round < 300; ++round) {
    const TraceProtocolParams params = random.one_in(2) ? packets() : nexus();
    const TraceProtocol p(params);
    std::vector<std::uint8_t> bytes;
    std::vector<std::pair<std::size_t, TraceMessage>> written; // messages, each with the position of its first byte
    std::uint64_t clock = 0;
    for (int i = 0; i < 40; ++i) {
      TraceMessage m{3, i % 10 == 0 ? TraceKind::sync : TraceKind::data, clock, {}};
      const std::size_t begin = bytes.size();
      if (m.kind == TraceKind::sync) {
        p.write_sync(3, clock, bytes);
      } else {
        m.payload.resize(static_cast<std::size_t>(random.between(1, 16)));
        for (std::uint8_t& byte : m.payload) byte = static_cast<std::uint8_t>(random.one_in(2) ? 0 : random.below(256));
        p.write_data(3, m.payload, 1, bytes);
        m.timestamp = ++clock;
      }
      written.emplace_back(begin, m);
    }
    const auto from = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(bytes.size())));
    const auto lost = static_cast<std::size_t>(random.between(1, 30));
    // Whole before the gap; after it from the first sync that begins at or after its end on. A nexus reader finds where
    // messages begin at the end of one: a sync right after the gap is no begin that it knows of.
    std::vector<TraceMessage> expected;
    bool again = false;
    for (std::size_t i = 0; i < written.size(); ++i) {
      const std::size_t begin = written[i].first, end = i + 1 < written.size() ? written[i + 1].first : bytes.size();
      const bool known = params.encoding == TraceEncoding::packets ? begin >= from + lost : begin > from + lost;
      again |= known && written[i].second.kind == TraceKind::sync;
      if (end <= from || again) expected.push_back(written[i].second);
    }
    INFO(round << ": " << from << " + " << lost);
    REQUIRE(read_back(params, bytes, from, lost) == expected);
  }
}

TEST_CASE("any bytes are read without harm") {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint8_t> bytes(2000);
    for (std::uint8_t& byte : bytes)
      byte =
          random.one_in(2)
              ? 0
              : random.pick<std::uint8_t>({0x80, 0x48, 0x58, 0x70, 0xFF, static_cast<std::uint8_t>(random.below(256))});
    for (const TraceProtocolParams& params : {packets(), nexus()})
      for (const TraceMessage& m : read_back(params, bytes, 1000, 1)) CHECK(m.payload.size() <= bytes.size());
    TraceDeformatter().read(bytes, [](std::uint32_t source, std::span<const std::uint8_t> run) {
      CHECK((source < most_formatted_sources && !run.empty()));
    });
  }
}

TEST_CASE("frames are sources' bytes again, full syncs between them or not") {
  Random random(10);
  for (int round = 0; round < 300; ++round) {
    TraceFormatterParams params;
    params.sync_frames = random.pick({0, 1, 2, 64});
    params.repeat_id_frames = random.between(1, 9);
    TraceFormatter formatter(params, true);
    std::map<std::uint32_t, std::vector<std::uint8_t>> put, got;
    std::vector<std::uint8_t> stream;
    const auto keep = [&] {
      if (!formatter.complete()) return;
      stream.insert(stream.end(), formatter.unit().bytes.begin(),
                    formatter.unit().bytes.begin() + formatter.unit().size);
      formatter.next_unit();
    };
    for (int word = 0; word < 100; ++word) {
      const auto source = static_cast<std::uint32_t>(random.pick({0, 1, 5, 0x6E}));
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(random.between(1, 16)));
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
      put[source].insert(put[source].end(), bytes.begin(), bytes.end());
      for (std::size_t at = 0; at < bytes.size(); keep())
        at += formatter.take(source, bytes.size() - at, bytes.data() + at);
      if (random.one_in(10)) formatter.fill_up(), keep();
    }
    formatter.fill_up();
    keep();
    REQUIRE(stream.size() == formatter.frames() * 16 + formatter.full_syncs() * 4);
    TraceDeformatter().read(stream, [&](std::uint32_t source, std::span<const std::uint8_t> run) {
      got[source].insert(got[source].end(), run.begin(), run.end());
    });
    REQUIRE(got == put);
  }
}

TEST_CASE("a frame's bits are where DDI 0314H puts them") {
  TraceFormatterParams params;
  params.sync_frames = 0;
  TraceFormatter formatter(params, true);
  // Source 0 (ID 1) gives 4 bytes, and source 1 (ID 2) these and 5 more: the source changes at byte 5, which is odd.
  // The ID takes byte 4, the byte from there moves behind it, and the flag says that this byte still belongs to the old
  // source.
  const std::array<std::uint8_t, 9> bytes{0x11, 0x22, 0x33, 0x45, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5};
  formatter.take(0, 4, bytes.data());
  formatter.take(1, 9, bytes.data());
  REQUIRE(formatter.complete());
  const std::array<std::uint8_t, 16> expected{
      1 << 1 | 1, 0x11, 0x22, 0x33, // ID 1 applies at once; even bytes lack their lowest bit
      2 << 1 | 1, 0x45,             // ID 2 from after the next byte on
      0x10, 0x22, 0x32, 0x45, 0xA0, 0xA2, 0xA2, 0xA4, 0xA4,
      // bits 0 to 7 of bytes 0, 2, ..., 14: ID, 0x22, late, 0x11, 0x33, 0xA1, 0xA3, 0xA5
      0 << 0 | 0 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7};
  CHECK(std::equal(expected.begin(), expected.end(), formatter.unit().bytes.begin()));
}

TEST_CASE("lists of blackouts are in order and apart, or none") {
  using Blackouts = std::vector<Blackout>;
  CHECK(listed_blackouts("") == Blackouts{});
  CHECK(listed_blackouts(" 1.5+0.25  7+1 ") == Blackouts{{1500_us, 1750_us}, {7_ms, 8_ms}});
  CHECK(listed_blackouts("1+1 2+1") == Blackouts{{1_ms, 2_ms}, {2_ms, 3_ms}});
  for (const char* wrong :
       {"1", "1+", "+1", "1+0", "1+1,2+1", "2+1 1+1", "1+2 2+1", "-1+1", "nan+1", "1e99+1", "1+1x"}) {
    INFO(wrong);
    CHECK(!listed_blackouts(wrong));
  }
}

TEST_CASE("every constraint names the parameter that it is about") {
  const auto problem = [](auto&& change) {
    TraceFunnelDesign design;
    design.sources.resize(2);
    change(design);
    const auto found = problem_of(design);
    return found ? found->parameter + " = " + found->value : "";
  };
  using D = TraceFunnelDesign;
  CHECK(problem([](D&) {}).empty());
  CHECK(problem([](D& d) { d.sources.clear(); }) == "sources = 0");
  CHECK(problem([](D& d) { d.sources.resize(112); }) == "sources = 112");
  CHECK(problem([](D& d) { d.sources.resize(111); }).empty());
  CHECK(problem([](D& d) { d.formatter.format = TraceFormat::none; }) == "format = none");
  CHECK(problem([](D& d) {
          d.protocol.encoding = TraceEncoding::nexus;
          d.protocol.source_bits = 0;
        }) == "source_bits = 0");
  CHECK(problem([](D& d) { d.sources[1].port_bytes = 8; }) == "port_bytes = 8");
  // 64 B less an overflow marker (1) and the longest sync (12 + 7 B of 48 bits).
  CHECK(problem([](D& d) { d.sources[1].resume_bytes = 64 - 20; }).empty());
  CHECK(problem([](D& d) { d.sources[1].resume_bytes = 64 - 19; }) == "resume_bytes = 45");
  CHECK(problem([](D& d) { d.sources[0].fifo_bytes = 19; }) == "fifo_bytes = 19");
  CHECK(problem([](D& d) { d.sources[0].fifo_bytes = 20; }).empty());
  // A word of 4 B completes at most one frame of 16 with 4 of full sync.
  CHECK(problem([](D& d) { d.sink.buffer_bytes = 64 + 20; }).empty());
  CHECK(problem([](D& d) { d.sink.buffer_bytes = 64 + 19; }) == "buffer_bytes = 83");
  CHECK(problem([](D& d) {
          d.sink.blackout_for_ms = 2;
          d.sink.blackout_every_ms = 2;
        }).starts_with("blackout_every_ms = 2"));
  CHECK(problem([](D& d) { d.sink.blackouts_ms = "5"; }) == "blackouts_ms = \"5\"");
  CHECK(problem([](D& d) {
          d.sink.reads = SinkReads::at_end;
          d.sources[1].full = WhenFull::stall;
        }) == "full = stall");
}
