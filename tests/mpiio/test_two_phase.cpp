// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/two_phase.hpp"
#include "tests/catch.hpp"

using namespace hypermon::mpiio;

namespace {

/// Process `p` of `n` has every n-th block of `block` bytes, `count` of them.
Access strided(std::int64_t p, std::int64_t n, std::int64_t block, std::int64_t count) {
  Access access;
  access.in_file = Stream(Layout::resized(0, n * block, Layout::bytes(block)), p * block);
  access.bytes = count * block;
  return access;
}
std::vector<Access> interleaved(std::int64_t n, std::int64_t block, std::int64_t count) {
  std::vector<Access> all;
  for (std::int64_t p = 0; p < n; ++p) all.push_back(strided(p, n, block, count));
  return all;
}

} // namespace

TEST_CASE("domains are equal shares, and rounds buffers of them") {
  // 4 x 250 blocks of 10 B are 10 000 B: 5000 an aggregator, in buffers of 2048 three rounds.
  const TwoPhase plan(interleaved(4, 10, 250), {2, 2048, 0});
  CHECK(plan.rounds() == 3);
  CHECK(plan.region(0, 0)->run == Run{0, 2048});
  CHECK(plan.region(0, 2)->run == Run{4096, 5000 - 4096});
  CHECK(plan.region(1, 0)->run == Run{5000, 2048});
  CHECK_FALSE(plan.region(1, 2)->has_holes);
  CHECK_FALSE(plan.region(1, 3));
}

TEST_CASE("domains end at the nearest multiple of the alignment") {
  const TwoPhase plan(interleaved(4, 10, 250), {2, 1 << 20, 4096}); // 5000 is nearer to 4096 than to 8192
  CHECK(plan.region(0, 0)->run == Run{0, 4096});
  CHECK(plan.region(1, 0)->run == Run{4096, 10000 - 4096});
}

TEST_CASE("what nobody writes is a hole of the round") {
  std::vector<Access> all = interleaved(3, 10, 10);
  all.pop_back();
  CHECK(TwoPhase(all, {1, 1 << 20, 0}).region(0, 0)->has_holes);
}

TEST_CASE("processes interleave only if one begins before the one before it has ended") {
  CHECK(TwoPhase::interleave(interleaved(2, 10, 2)));
  CHECK_FALSE(TwoPhase::interleave(interleaved(2, 10, 1)));
  CHECK_FALSE(TwoPhase::interleave({strided(0, 1, 10, 0), strided(1, 2, 10, 0)}));
}
