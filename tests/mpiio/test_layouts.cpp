// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/stream.hpp"
#include "tests/catch.hpp"
#include "tests/mpiio/drawn.hpp"

#include <limits>

using namespace hypermon;
using namespace hypermon::mpiio;
using namespace hypermon::testing;

namespace {

std::vector<std::int64_t> bytes_of(const std::vector<Runs>& all) {
  std::vector<std::int64_t> bytes;
  for (const Runs& runs : all)
    for (std::int64_t k = 0; k < runs.count; ++k)
      for (std::int64_t i = 0; i < runs.bytes; ++i) bytes.push_back(runs.offset + k * runs.stride + i);
  return bytes;
}

/// Runs of bytes [begin, end) of elements that follow each other.
std::int64_t count_pieces(const Drawn& type, std::int64_t begin, std::int64_t end) {
  const auto n = static_cast<std::int64_t>(type.bytes.size());
  const auto place = [&](std::int64_t i) { return type.bytes[static_cast<std::size_t>(i % n)] + i / n * type.extent; };
  std::int64_t pieces = begin < end ? 1 : 0;
  for (std::int64_t i = begin + 1; i < end; ++i) pieces += place(i) != place(i - 1) + 1 ? 1 : 0;
  return pieces;
}

} // namespace

TEST_CASE("a map says of every byte of a random datatype where it is") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    const Drawn type = draw_type(random, 4, random.one_in(2));
    const Layout& layout = *type.layout;
    INFO("seed " << seed << ": " << layout.text());
    const auto n = static_cast<std::int64_t>(type.bytes.size());
    REQUIRE(layout.size() == n);
    REQUIRE(layout.lower() == type.lower);
    REQUIRE(layout.extent() == type.extent);
    REQUIRE(bytes_of(layout.runs()) == type.bytes);
    bool ascends = true;
    for (std::int64_t i = 0; i < n; ++i) {
      const Run run = layout.at(i);
      REQUIRE(run.offset == type.bytes[static_cast<std::size_t>(i)]);
      REQUIRE(type.bytes[static_cast<std::size_t>(i + run.bytes - 1)] == run.offset + run.bytes - 1);
      ascends =
          ascends && (i == 0 || type.bytes[static_cast<std::size_t>(i)] > type.bytes[static_cast<std::size_t>(i - 1)]);
    }
    if (layout.is_ascending()) REQUIRE(ascends);
    REQUIRE(layout.is_nondecreasing() == std::is_sorted(type.begins.begin(), type.begins.end()));
    for (std::int64_t i = 0; i <= n; ++i) REQUIRE(layout.pieces_until(i) == count_pieces(type, 0, i));
    if (layout.is_ascending())
      for (std::int64_t offset = layout.begin() - 2; offset <= layout.end() + 2; ++offset)
        REQUIRE(layout.below(offset) ==
                std::count_if(type.bytes.begin(), type.bytes.end(), [&](std::int64_t byte) { return byte < offset; }));
  }
}

TEST_CASE("elements that follow each other are one stream") {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    const Drawn type = draw_type(random, 3, true);
    const Stream stream(type.layout, 100);
    const auto n = static_cast<std::int64_t>(type.bytes.size());
    INFO("seed " << seed << ": " << type.layout->text());
    const std::int64_t begin = random.below(3 * n);
    const std::int64_t end = begin + random.below(3 * n);
    REQUIRE(stream.pieces(begin, end) == count_pieces(type, begin, end));
    std::int64_t runs = 0;
    std::int64_t byte = begin;
    for_each_run(stream, begin, end, [&](Run run) {
      ++runs;
      for (std::int64_t i = 0; i < run.bytes; ++i, ++byte)
        REQUIRE(run.offset + i == 100 + type.bytes[static_cast<std::size_t>(byte % n)] + byte / n * type.extent);
    });
    REQUIRE(runs == stream.pieces(begin, end));
    REQUIRE(byte == std::max(begin, end));
    if (stream.is_ascending() && begin < end) REQUIRE(stream.below(stream.at(begin).offset) == begin);
  }
}

TEST_CASE("what lies together is one piece however it was made") {
  const auto row = Layout::repeated(100, 8, Layout::bytes(8));
  CHECK(row->text() == "800 B");
  CHECK(Layout::repeated(50, 800, row)->text() == "40000 B");
  CHECK(Layout::joined({{0, row}, {800, row}})->text() == "1600 B");
}

TEST_CASE("a billion pieces take no room and no time") {
  const auto plane = Layout::repeated(31623, 31623 * 16, Layout::repeated(31623, 16, Layout::bytes(8)));
  CHECK(plane->pieces() == 31623LL * 31623);
  const Stream stream(plane, 0);
  CHECK(stream.at(8LL * 500'000'000).offset == 16LL * 500'000'000);
  CHECK(stream.below(16LL * 500'000'000 + 3) == 8LL * 500'000'000 + 3);
  CHECK(stream.pieces(4, 8LL * 1'000'000'000) == 1'000'000'000);
}
