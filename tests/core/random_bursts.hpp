// Seeded bursts, parameters and comparison for the property tests. No std:: distributions: the same everywhere.
#pragma once
#include "hw/core/burst.hpp"
#include "tests/core/oracle.hpp"
#include <algorithm>
#include <random>
#include <tuple>

namespace hypermon::testing {

struct Random {
  std::mt19937_64 engine;
  explicit Random(std::uint64_t seed) : engine(seed) {}
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(n)); }
  std::int64_t between(std::int64_t a, std::int64_t b) { return a + below(b - a + 1); }
  template <class T> T pick(std::initializer_list<T> of) { return *(of.begin() + below(std::ssize(of))); }
};

struct Hardware {
  EcbParams ecb;
  PbxParams pbx;
  ReaderParams reader;
};

/// A burst that owns its data.
struct OwnedBurst {
  std::uint32_t input;
  Time first;
  Time spacing;
  std::vector<std::uint8_t> data;
  Burst view() const { return {input, first, spacing, data}; }
};

inline Hardware random_hardware(Random& r) {
  Hardware h;
  h.ecb.inputs = r.between(1, 16);
  h.ecb.window_ns = r.pick<std::int64_t>({50, 200, 200, 400, 800, 800});
  if (r.below(2) == 0) {
    h.ecb.node_fifo_entries = r.between(1, 4);
    h.ecb.vector_fifo_entries = r.between(1, 5);
    h.ecb.frame_fifo_frames = r.between(1, 6);
    h.ecb.builder_cycles = r.pick<std::int64_t>({1, 2, 4, 8, 17});
  }
  h.pbx.word_ns = r.pick<std::int64_t>({1, 222, 500, 800});
  if (r.below(8) == 0) { // frames can be built at successive edges
    h.ecb.window_ns = 50;
    h.ecb.builder_cycles = 1;
  }
  if (r.below(2) == 0) {
    h.reader.kind = "group";
    h.reader.group_ns = r.pick<std::int64_t>({0, 1, 1600, 20010});
    h.reader.frame_ns = r.pick<std::int64_t>({0, 49, 700, 9000});
    h.reader.stall_every_frames = r.pick<std::int64_t>({0, 1, 5, 20});
    h.reader.stall_ns = r.pick<std::int64_t>({0, 50000, 200001});
  }
  return h;
}

/// Bursts over all inputs: loose and dense ones, strobes on edges, on window ends and anywhere.
inline std::vector<OwnedBurst> random_bursts(Random& r, const Hardware& h, int bursts_per_input) {
  std::vector<OwnedBurst> all;
  const bool dense = r.below(2) == 0;
  for (std::uint32_t i = 0; i < h.ecb.inputs; ++i) {
    Time t = Time::from_ns(r.below(3000));
    for (int b = 0; b < bursts_per_input; ++b) {
      const std::int64_t on = r.pick<std::int64_t>({1, 1000, 50000, h.ecb.window_ns * 1000});
      t = Time::from_ps((t.ps() + on - 1) / on * on);
      const std::int64_t slowest = dense ? r.pick<std::int64_t>({750'000, 3'000'000}) : 30'000'000;
      OwnedBurst burst{i, t, Time::from_ps(r.between(750'000, slowest) / on * on), {}};
      for (std::int64_t n = r.between(1, 40); n > 0; --n) burst.data.push_back(static_cast<std::uint8_t>(r.below(16)));
      t += burst.spacing * std::ssize(burst.data) + Time::from_ns(r.below(dense ? 2000 : 300000));
      all.push_back(std::move(burst));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

inline oracle::Result run_oracle(const Hardware& h, const std::vector<OwnedBurst>& bursts) {
  std::vector<oracle::Strobe> strobes;
  for (const auto& b : bursts)
    for (std::size_t j = 0; j < b.data.size(); ++j)
      strobes.push_back({(b.first + b.spacing * static_cast<std::int64_t>(j)).ps(), b.input, b.data[j]});
  std::stable_sort(strobes.begin(), strobes.end(), [](const auto& a, const auto& b) { return a.ps < b.ps; });
  return oracle::Board(h.ecb, h.pbx, h.reader).run(strobes);
}

/// Losses as a set: in which order the board names them is not part of the contract.
inline std::vector<Loss> sorted(std::vector<Loss> losses) {
  std::sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) {
    return std::tuple(a.input, a.sequence) < std::tuple(b.input, b.sequence);
  });
  return losses;
}

} // namespace hypermon::testing
