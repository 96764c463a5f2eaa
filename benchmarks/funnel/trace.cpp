// SPDX-License-Identifier: BSD-3-Clause
// Cost of a trace funnel per message: sources with messages of 8 bytes at random times that fill so many per cent of
// the links. Counted by `benchmarks/funnel/run`.
#include "hw/funnel/core/trace_decoder.hpp"
#include "hw/funnel/core/trace_funnel.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

using namespace hypermon;

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const std::int64_t messages = std::atoll(argv[1]); // number of messages of each source
  const std::size_t sources = static_cast<std::size_t>(std::atoll(argv[2]));
  const std::int64_t load = std::atoll(argv[3]); // per cent
  const bool nexus = std::string_view(argv[4]) == "nexus";
  const bool decoded = std::string_view(argv[5]) == "decoded";

  TraceFunnelDesign design;
  design.sources.resize(sources);
  if (nexus) {
    design.protocol.encoding = TraceEncoding::nexus;
    design.link.grant = TraceGrant::message;
    design.formatter.format = TraceFormat::none;
  }
  TraceFunnel funnel(design);
  TraceDecoder decoder(design);
  std::uint64_t told = 0;
  if (decoded)
    funnel.on_stream([&](std::span<const std::uint8_t> bytes, bool gap, Time) {
      decoder.read(bytes, gap, [&](const TraceMessage&) { ++told; });
    });
  // A message takes about 14 bytes of the stream, a source's pitch is that over its part of 1 GB/s.
  const std::int64_t pitch = 14'000 * static_cast<std::int64_t>(sources) * 100 / load;
  std::mt19937_64 random(1);
  std::vector<Time> next(sources);
  std::array<std::uint8_t, 8> payload{1, 2, 3, 4, 5, 6, 7, 8};
  std::uint64_t delivered = 0;
  for (std::int64_t n = 0; n < messages; ++n) {
    Time horizon = Time::never();
    for (std::uint32_t s = 0; s < sources; ++s) {
      next[s] += Time::from_ps(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * pitch)));
      funnel.write(s, next[s], payload);
      horizon = std::min(horizon, next[s]);
    }
    funnel.advance(std::max(horizon, funnel.horizon()));
    delivered += funnel.delivered().size();
    funnel.clear_delivered();
  }
  funnel.finish();
  delivered += funnel.delivered().size();
  std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(messages) * sources,
              static_cast<unsigned long long>(delivered), static_cast<unsigned long long>(told));
}
