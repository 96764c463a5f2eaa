// SPDX-License-Identifier: BSD-3-Clause
// benchmark_decoder PART ROUNDS: works on the same seeded stream (8 nodes, events as programs emit them, delay 20)
// ROUNDS times with one PART: encode, decoder (node decoders alone), frames (frames to events), runs (runs of strobes
// to events), checker (the judge: emitted, decoded). `run` counts the instructions of two round counts; everything
// outside the rounds cancels.
#include "tests/monitors/hypermon/decoding/fake_stretch.hpp"
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace hypermon;
using namespace hypermon::test;

namespace {
constexpr std::uint32_t nodes = 8;
constexpr std::size_t events_per_node = 2000;
constexpr std::int64_t window_ns = 800;

struct Count final : DecoderSink {
  std::uint64_t events = 0;
  void event(const DecodedEvent&) override { ++events; }
  void damaged(const DamagedSpan&) override { std::abort(); }
};

// Mostly the 16-nibble events of MPI calls in bursts, a tick now and then.
Emission stream() {
  Rng rng(1);
  Emission all;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    Emission one;
    NodeModel node = random_node(rng, n, pitch_ns, 25);
    for (std::size_t i = 0; i < events_per_node; ++i) {
      const auto type = i % 50 == 0 ? EventType::tick : static_cast<EventType>(3 + below(rng, 13));
      one.emit(node, random_event(rng, type),
               i % 8 == 0 ? Time::from_ns(static_cast<std::int64_t>(below(rng, 3'000'000))) : Time{}, i,
               i % 2 == 0 ? MessageSide::send : MessageSide::receive);
    }
    all.events.insert(all.events.end(), one.events.begin(), one.events.end());
    all.data.insert(all.data.end(), one.data.begin(), one.data.end());
  }
  all.sort();
  return all;
}
} // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string_view part = argv[1];
  const long rounds = std::atol(argv[2]);
  const Time window = Time::from_ns(window_ns);
  const StreamTiming timing(window_ns, pitch_ns);
  const Emission emission = stream();
  const auto frames = frames_of(emission.data, window, prototype);
  const FakeStretch stretch(emission.data, prototype, window, 0,
                            static_cast<std::uint64_t>(frames.back().read_end / window));
  struct Captured {
    std::uint64_t window;
    std::uint8_t value;
  };
  std::vector<std::vector<Captured>> streams(nodes);
  for (const Datum& n : emission.data)
    streams[n.node].push_back({static_cast<std::uint64_t>(n.strobe / window), static_cast<std::uint8_t>(n.value)});

  TraceChecker checker(nodes, window);
  checker.read_until(Time::from_ns(1'000'000'000'000));
  std::uint64_t done = 0;
  for (long round = 0; round < rounds; ++round) {
    if (part == "encode") {
      const Catalogue& catalogue = Catalogue::nx2();
      for (const auto& e : emission.events) {
        const HardwareRecord record = encode_hardware(e.event, e.delta_us, catalogue);
        done += record.nibbles[done % record.count];
      }
    } else if (part == "decoder") {
      Count count;
      for (std::uint32_t n = 0; n < nodes; ++n) {
        NodeDecoder decoder(NodeId{n}, timing, count);
        for (const auto& [k, value] : streams[n]) decoder.push(k, value);
      }
      done += count.events;
    } else if (part == "frames") {
      Count count;
      FrameDecoder decoder(NodeId{0}, prototype, timing, count);
      decoder.push(frames);
      done += count.events;
    } else if (part == "runs") {
      Count count;
      FrameDecoder decoder(NodeId{0}, prototype, timing, count);
      decoder.push_runs(stretch);
      done += count.events;
    } else if (part == "checker") {
      for (const auto& e : emission.events) {
        const auto k = static_cast<std::uint64_t>(e.first_strobe / window);
        checker.emitted(e, {k, {}});
        checker.event({{e.event, e.delta_us}, e.node, k, k});
      }
      done += checker.delivered_events();
    } else {
      return 2;
    }
  }
  const bool per_event = part == "encode" || part == "checker";
  std::printf("%zu %s %llu\n", per_event ? emission.events.size() : emission.data.size(),
              per_event ? "event" : "nibble", static_cast<unsigned long long>(done));
}
