// SPDX-License-Identifier: BSD-3-Clause
// Waves that are caught while a run goes on are those that its recording gives afterwards.
#include "sw/monitors/hypermon/waves/wave_capture.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "sw/instrumentation/record.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace hypermon;

namespace {

/// A little of everything that nodes do, with silences, and a bus too slow for it.
struct Traffic {
  Spec spec;
  std::vector<std::uint16_t> node;
  std::vector<std::int64_t> first_ps, spacing_ps;
  std::vector<std::int32_t> offsets{0};
  std::vector<std::uint8_t> data;

  Traffic() {
    spec.nodes = 4;
    spec.get<PbxParams>().word_ns = 6000;
    spec.get<EcbSection>().frame_fifo_frames = 64;
    std::mt19937 random(1);
    std::vector<std::pair<std::int64_t, std::uint16_t>> begins;
    for (std::uint16_t n = 0; n < 4; ++n)
      for (std::int64_t ps = 1'000'000 + n * 7'000'000LL, i = 0; i < 400; ++i) {
        ps += (i < 200 ? 1'500'000'000 : 250'000'000) +
              static_cast<std::int64_t>(random() % 300'000) * (i % 50 == 49 ? 1'000'000 : 1'000);
        begins.emplace_back(ps, n);
      }
    std::sort(begins.begin(), begins.end());
    constexpr std::array types{EventType::syscall_entry, EventType::switch_out, EventType::tick, EventType::switch_in,
                               EventType::syscall_exit,  EventType::send_start, EventType::user};
    for (const auto& [ps, n] : begins) {
      node.push_back(n);
      first_ps.push_back(ps);
      spacing_ps.push_back(10'000'000);
      Event event{types[random() % types.size()], {1 + static_cast<std::uint32_t>(random() % 8), 0, 0}};
      if (ps == begins.back().first) event.type = EventType::process_end;
      const HardwareRecord record = encode_hardware(event, 7);
      data.insert(data.end(), record.data().begin(), record.data().end());
      offsets.push_back(static_cast<std::int32_t>(data.size()));
    }
  }
  BurstRows rows() const { return {node, first_ps, spacing_ps, offsets, data}; }
};

std::string text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

std::optional<TriggerSearch::Found> search(const Traffic& t, const WaveTrigger& trigger) {
  TriggerSearch coarse(t.spec, trigger);
  coarse.add(t.rows());
  coarse.finish();
  if (!coarse.found() || coarse.found()->exact) return coarse.found();
  TriggerSearch fine(t.spec, trigger, coarse.found()->time);
  fine.add(t.rows());
  fine.finish();
  return fine.found();
}

void write_replayed(const Traffic& t, const std::filesystem::path& path, Time from, Time to) {
  WaveReplay replay(t.spec, path, std::vector<bool>(signals_of(t.spec).size(), true));
  replay.window(from, to);
  replay.add(t.rows());
  replay.finish();
}

/// Bursts are told some time ahead and not in the order of their times, as kernels emit them.
std::optional<WaveCapture::Written> capture(const Traffic& t, const WaveRequest& request) {
  WaveCapture waves(t.spec, request);
  std::mt19937 random(2);
  std::size_t next = 0;
  for (Time now; next < t.node.size(); now += Time::from_ns(1 + static_cast<std::int64_t>(random() % 300'000'000))) {
    const Time ahead = now + Time::from_ns(static_cast<std::int64_t>(random() % 5'000'000));
    const std::size_t begin = next;
    while (next < t.node.size() && Time::from_ps(t.first_ps[next]) < ahead) ++next;
    for (std::size_t i = next; i-- > begin;) {
      // rows of one node are in order
      bool later_of_node = false;
      for (std::size_t j = begin; j < i; ++j) later_of_node |= t.node[j] == t.node[i];
      if (later_of_node) continue;
      for (std::size_t j = i; j < next; ++j)
        if (t.node[j] == t.node[i])
          waves.add(NodeId{t.node[j]}, Time::from_ps(t.first_ps[j]), Time::from_ps(t.spacing_ps[j]),
                    std::span(t.data).subspan(static_cast<std::size_t>(t.offsets[j]),
                                              static_cast<std::size_t>(t.offsets[j + 1] - t.offsets[j])),
                    0, MessageSide::none);
    }
    waves.advance(now);
  }
  waves.close(Time::from_ps(t.first_ps.back()));
  return waves.written();
}

} // namespace

TEST_CASE("waves caught while a run goes on are those of its recording, byte for byte, for every trigger") {
  const Traffic traffic;
  const auto folder = testing::scratch_path("wave_capture");
  std::filesystem::create_directories(folder);
  const std::array triggers{WaveTrigger{},
                            WaveTrigger{.cause = LossCause::frame_lost},
                            WaveTrigger{.above = 3},
                            WaveTrigger{.above = 40},
                            WaveTrigger{.event = {{2, EventType::send_start}}},
                            WaveTrigger{.event = {{traffic.node.back(), EventType::process_end}}}};
  const Time pre = GENERATE(0_ps, 3_ms, 250_ms);
  for (std::size_t i = 0; i < triggers.size(); ++i) {
    CAPTURE(i, pre.seconds());
    const auto found = search(traffic, triggers[i]);
    REQUIRE(found);
    WaveRequest request{folder / "caught.vcd",
                        std::vector<bool>(signals_of(traffic.spec).size(), true),
                        triggers[i],
                        pre,
                        2_ms,
                        {},
                        {}};
    const auto written = capture(traffic, request);
    REQUIRE(written);
    CHECK(written->trigger->time == found->time);
    CHECK(written->trigger->board == found->board);
    CHECK(written->to == found->time + 2_ms);
    write_replayed(traffic, folder / "replayed.vcd", written->from, written->to);
    CHECK(text(folder / "caught.vcd") == text(folder / "replayed.vcd"));
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a window needs no trigger, and a trigger that never happens leaves no file") {
  const Traffic traffic;
  const auto folder = testing::scratch_path("wave_window");
  std::filesystem::create_directories(folder);
  const std::vector<bool> all(signals_of(traffic.spec).size(), true);
  const auto written = capture(traffic, {folder / "caught.vcd", all, {}, {}, {}, 100_ms, 300_ms});
  REQUIRE(written);
  write_replayed(traffic, folder / "replayed.vcd", 100_ms, 300_ms);
  CHECK(text(folder / "caught.vcd") == text(folder / "replayed.vcd"));
  const WaveTrigger never{.cause = LossCause::window_lost};
  CHECK_FALSE(capture(traffic, {folder / "never.vcd", all, never, 1_ms, 1_ms, {}, {}}));
  CHECK_FALSE(std::filesystem::exists(folder / "never.vcd"));
  std::filesystem::remove_all(folder);
}
