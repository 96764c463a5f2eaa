// SPDX-License-Identifier: BSD-3-Clause
// Cost of the capture board per nibble: eight inputs that each emit bursts of 16 nibbles at 26.14 us (spec sec. 5,
// delay 20) about 60 % of the time, with independent phases. Counted by `benchmarks/core/run`.
#include "hw/hypermon/core/capture_board.hpp"
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace hypermon;

int main(int argc, char** argv) {
  const std::int64_t bursts = argc > 1 ? std::atoll(argv[1]) : 10000; // number of bursts of each input
  constexpr Time pitch = 26140_ns;
  constexpr std::int64_t nibbles = 16;
  constexpr std::uint32_t inputs = 8;
  const Time step = 1_ms;

  std::mt19937_64 random(1);
  std::array<std::array<std::uint8_t, nibbles>, 16> data{};
  for (auto& d : data)
    for (auto& nibble : d) nibble = static_cast<std::uint8_t>(random() % 16);
  // Gaps between bursts: 0 to 4/3 of a burst's length, 2/3 in the mean, so that bursts take 60 % of the time.
  const auto longest_gap = static_cast<std::uint64_t>((pitch * nibbles).ps() * 4 / 3);
  std::array<Time, inputs> next{};
  std::array<std::int64_t, inputs> left{};
  for (auto& t : next) t = Time::from_ps(static_cast<std::int64_t>(random() % longest_gap));
  left.fill(bursts);

  CaptureBoard board(PortParams{}, EcbParams{}, PbxParams{}, ReaderParams{});
  std::uint64_t checksum = 0;
  bool more = true;
  for (Time horizon = step; more; horizon += step) {
    more = false;
    for (std::uint32_t i = 0; i < inputs; ++i) {
      for (; left[i] > 0 && next[i] < horizon; --left[i]) {
        board.write({i, next[i], pitch, data[static_cast<std::size_t>(left[i] % 16)]});
        next[i] += pitch * nibbles + Time::from_ps(static_cast<std::int64_t>(random() % longest_gap));
      }
      more |= left[i] > 0;
    }
    board.advance(horizon);
    for (const auto& f : board.delivered()) checksum += f.frame.vector;
    board.clear_delivered();
  }
  board.finish();
  for (const auto& f : board.delivered()) checksum += f.frame.vector;
  const Counts c = board.counts();
  std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(c.strobes),
              static_cast<unsigned long long>(c.drained), static_cast<unsigned long long>(checksum));
}
