// SPDX-License-Identifier: BSD-3-Clause
// Which server has which bytes.
#include "base/user_error.hpp"
#include "hw/packets/core/distribution.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

#include <map>
#include <utility>

using namespace hypermon;
using namespace hypermon::piosim;
using hypermon::testing::Random;

namespace {

/// Byte by byte: its server and its place there.
std::vector<std::pair<std::uint32_t, std::int64_t>> places(const std::vector<StripPattern::Strip>& strips,
                                                           std::int64_t bytes) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> found;
  std::map<std::uint32_t, std::int64_t> next;
  while (std::ssize(found) < bytes)
    for (const StripPattern::Strip& strip : strips)
      for (std::int64_t b = 0; b < strip.bytes; ++b) found.emplace_back(strip.server, next[strip.server]++);
  return found;
}

} // namespace

TEST_CASE("a server's regions are those of its bytes, one for each logical region, neighbours joined") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random r(seed);
    CAPTURE(seed);
    const auto servers = static_cast<std::uint32_t>(r.between(1, 4));
    std::vector<StripPattern::Strip> strips;
    for (std::int64_t s = r.between(1, 6); s > 0; --s)
      strips.push_back({static_cast<std::uint32_t>(r.below(servers)), r.between(1, 7)});
    std::vector<FileRegion> regions;
    for (std::int64_t n = r.between(1, 5), at = 0; n > 0; --n) {
      at += r.pick({0, 0, 1, 5, 40});
      regions.push_back({at, r.between(1, 30)});
      at += regions.back().bytes;
    }
    std::map<std::uint32_t, std::vector<FileRegion>> expected;
    const auto all = places(strips, 1000);
    for (const FileRegion& region : regions)
      for (std::int64_t b = region.offset; b < region.offset + region.bytes; ++b) {
        const auto [server, place] = all[static_cast<std::size_t>(b)];
        std::vector<FileRegion>& own = expected[server];
        if (!own.empty() && own.back().offset + own.back().bytes == place)
          ++own.back().bytes;
        else
          own.push_back({place, 1});
      }
    std::map<std::uint32_t, std::vector<FileRegion>> found;
    for (const auto& share : StripPattern(strips, servers).shares(regions)) found[share.server] = share.regions;
    CHECK(found == expected);
  }
}

TEST_CASE("a file's pattern is what pfs.distribution says") {
  PfsParams params;
  params.servers = 3;
  params.stripe_bytes = 10;
  const auto servers_of = [&](std::int64_t begin, std::int64_t bytes, std::uint32_t file) {
    std::map<std::uint32_t, std::int64_t> found;
    for (const auto& share : pattern_of(params, FileId{file}).shares({{begin, bytes}}))
      found[share.server] = share.bytes;
    return found;
  };
  using Bytes = std::map<std::uint32_t, std::int64_t>;
  CHECK(servers_of(25, 20, 0) == Bytes{{0, 10}, {1, 5}, {2, 5}});
  params.distribution = Distribution::basic;
  CHECK(servers_of(25, 20, 4) == Bytes{{1, 20}});
  params.distribution = Distribution::varying_stripe;
  params.strips = "2:5 0:20";
  CHECK(servers_of(0, 25, 0) == Bytes{{0, 20}, {2, 5}});
}

TEST_CASE("strips that are none are refused") {
  PfsParams params;
  params.servers = 2;
  for (const char* const strips : {"", "0", "0:", "0:0", "2:5", "-1:5", "0:5x", "0:5,1:5", "1:1073741825"}) {
    params.strips = strips;
    CAPTURE(strips);
    CHECK_THROWS_AS(strips_of(params), UserError);
  }
}
