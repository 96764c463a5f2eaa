// SPDX-License-Identifier: BSD-3-Clause
// A replay of the core alone, its frames only counted. Host instructions are counted by `benchmarks/replay/run`.
//   benchmark_replay silent HOURS     one strobe, and so many hours later another
//   benchmark_replay nodes N EVENTS PERCENT [oldest | stalls]
//                                     boards of up to 16 nodes; each node emits EVENTS events of 16 nibbles (spec sec.
//                                     5, delay 20), so much of the time, with independent phases, as in a recording. A
//                                     full frame FIFO drops the oldest frame; the reader stalls for 2 ms every 3000
//                                     frames
// Prints the strobes and the frames.
#include "hw/hypermon/core/capture_board.hpp"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string_view>

using namespace hypermon;

namespace {

struct Counter : FrameSink {
  std::uint64_t count = 0;
  void frames(std::span<const DeliveredFrame> frames) override { count += frames.size(); }
  void stretch(const Stretch& stretch) override { count += stretch.frame_count(); }
};

struct Board {
  CaptureBoard board;
  Counter counter;
  explicit Board(const EcbParams& ecb = {}, const ReaderParams& reader = {})
      : board(PortParams{}, ecb, PbxParams{}, reader) {
    board.deliver_to(&counter);
  }
};

EcbParams dropping_oldest() {
  EcbParams ecb;
  ecb.frame_fifo_full = WhenFull::drop_oldest;
  return ecb;
}
ReaderParams stalling() {
  ReaderParams reader;
  reader.kind = ReaderKind::group;
  reader.stall_ns = 2'000'000;
  reader.stall_every_frames = 3000;
  return reader;
}

void print(const std::vector<std::unique_ptr<Board>>& boards) {
  std::uint64_t strobes = 0;
  std::uint64_t frames = 0;
  for (const auto& b : boards) {
    strobes += b->board.counts().strobes;
    frames += b->counter.count;
  }
  std::printf("%llu %llu\n", static_cast<unsigned long long>(strobes), static_cast<unsigned long long>(frames));
}

void silent(std::int64_t hours) {
  std::vector<std::unique_ptr<Board>> boards;
  boards.push_back(std::make_unique<Board>());
  const std::uint8_t nibble = 1;
  for (const Time t : {1_ms, 1_ms + 1_ms * 1000 * 3600 * hours}) boards[0]->board.write({0, t, 0_ps, {&nibble, 1}});
  boards[0]->board.finish();
  print(boards);
}

void active(std::uint32_t nodes, std::int64_t events, std::int64_t percent, std::string_view how) {
  constexpr Time pitch = 26140_ns;
  constexpr std::int64_t nibbles = 16;
  constexpr std::uint32_t per_board = 16;
  std::mt19937_64 random(1);
  std::array<std::array<std::uint8_t, nibbles>, 16> data{};
  for (auto& d : data)
    for (auto& nibble : d) nibble = static_cast<std::uint8_t>(random() % 16);
  // Gaps between bursts are uniform, with the mean that leaves the bursts their share.
  const auto longest_gap = static_cast<std::uint64_t>((pitch * nibbles).ps() * 2 * (100 - percent) / percent);
  std::vector<Time> next(nodes);
  for (auto& t : next) t = Time::from_ps(static_cast<std::int64_t>(random() % longest_gap));
  std::vector<std::unique_ptr<Board>> boards;
  for (std::uint32_t n = 0; n < nodes; n += per_board)
    boards.push_back(std::make_unique<Board>(how == "oldest" ? dropping_oldest() : EcbParams{},
                                             how == "stalls" ? stalling() : ReaderParams{}));

  // Like hypermon::replay(), the loop adds all recorded bursts, and the hardware then runs until none is left in it.
  for (std::uint32_t n = 0; n < nodes; ++n)
    for (std::int64_t left = events; left > 0; --left) {
      boards[n / per_board]->board.write({n % per_board, next[n], pitch, data[static_cast<std::size_t>(left % 16)]});
      next[n] += pitch * nibbles + Time::from_ps(static_cast<std::int64_t>(random() % longest_gap));
    }
  for (auto& b : boards) b->board.finish();
  print(boards);
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "silent") == 0) {
    silent(std::atoll(argv[2]));
  } else if ((argc == 5 || argc == 6) && std::strcmp(argv[1], "nodes") == 0) {
    active(static_cast<std::uint32_t>(std::atoll(argv[2])), std::atoll(argv[3]), std::atoll(argv[4]),
           argc == 6 ? argv[5] : "");
  } else {
    return 2;
  }
}
