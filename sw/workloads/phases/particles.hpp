// SPDX-License-Identifier: BSD-3-Clause
// A rank's particles, and their transfer to the ranks that own the surrounding grid, and back.
#pragma once
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/distribution.hpp"
#include "sw/workloads/common/pairwise.hpp"
#include "sw/workloads/phases/params.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <smpi/smpi.h>
#include <vector>

namespace hypermon::workloads {

struct Particle {
  double x, y;   // in cells
  double vx, vy; // velocity in units of the speed of sound
  double sxx = 0, syy = 0, sxy = 0;
  double temperature;
};
inline constexpr double particle_mass = 0.25; // four in a cell of mass 1
inline constexpr int particles_per_cell = 4;

/// A coordinate in [0, size) of the periodic grid.
inline double wrapped(double at, std::int64_t size) {
  const auto whole = static_cast<double>(size);
  const double inside = at - whole * std::floor(at / whole);
  return inside < whole ? inside : 0; // the sum was rounded up from just below 0
}

/// A routine that a profile names.
class Routine {
public:
  explicit Routine(const char* name) : name_(name) { hypermon_timer_start(name); }
  ~Routine() { hypermon_timer_stop(name_); }
  Routine(const Routine&) = delete;
  Routine& operator=(const Routine&) = delete;

private:
  const char* name_;
};

/// Particles are distributed cyclically over the ranks by number, so that work on particles alone is the same for each
/// rank, wherever they are. Columns of cells are distributed in blocks.
struct Deal {
  const PhasesParams& p;
  Ranks ranks;

  std::int64_t particles() const { return p.columns * p.rows * particles_per_cell; }
  std::int64_t own(int rank) const { return (particles() - rank + ranks.count - 1) / ranks.count; }
  std::int64_t number(int rank, std::int64_t i) const { return i * ranks.count + rank; }
  std::int64_t first_column(int rank) const { return block_begin(p.columns, ranks.count, rank); }
  int rank_of(std::int64_t column) const {
    auto rank = static_cast<int>(column * ranks.count / p.columns);
    while (first_column(rank + 1) <= column) ++rank;
    while (first_column(rank) > column) --rank;
    return rank;
  }
  /// Initially particles are in the middle of the cell's quarters. Velocity and temperature each have one wave along
  /// the grid.
  Particle at_first(std::int64_t number) const {
    const std::int64_t cell = number / particles_per_cell;
    const auto quarter = static_cast<int>(number % particles_per_cell);
    Particle one{};
    one.x = static_cast<double>(cell / p.rows) + 0.25 + 0.5 * (quarter / 2);
    one.y = static_cast<double>(cell % p.rows) + 0.25 + 0.5 * (quarter % 2);
    const double phase = 2 * M_PI * one.x / static_cast<double>(p.columns);
    one.vx = p.drift + p.wave * std::sin(phase);
    one.temperature = 300 + 10 * std::cos(phase);
    return one;
  }
};

/// Transfers numbers of particles from their ranks to the ranks of their cells and back, between each pair of ranks.
class Transfers {
public:
  using Numbers = std::vector<std::vector<double>>; // numbers by rank, `width` for each particle

  Transfers(const Deal& deal) : deal_(deal), there_(size(), 0), here_(size(), 0) {
    const auto bytes = static_cast<std::size_t>(deal.p.message_bytes.number);
    ballast_out_ = static_cast<char*>(SMPI_SHARED_MALLOC(bytes));
    ballast_in_ = static_cast<char*>(SMPI_SHARED_MALLOC(bytes)); // MPI forbids receiving into the send buffer
  }
  ~Transfers() {
    SMPI_SHARED_FREE(ballast_in_);
    SMPI_SHARED_FREE(ballast_out_);
  }
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  /// Determines the current rank of each particle's cell. Particles of a rank are in the order of their numbers.
  void sort(const std::vector<Particle>& particles) {
    order_.assign(size(), {});
    for (std::size_t i = 0; i < particles.size(); ++i)
      order_[static_cast<std::size_t>(deal_.rank_of(static_cast<std::int64_t>(particles[i].x)))].push_back(i);
    for (std::size_t r = 0; r < size(); ++r) there_[r] = static_cast<std::int64_t>(order_[r].size());
    MPI_Alltoall(there_.data(), 1, MPI_INT64_T, here_.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
  }
  /// put(particle's index, its `width` numbers). Returns the numbers received from each rank.
  template <class Put> Numbers to_cells(std::size_t width, Put&& put) {
    Numbers out(size());
    for (std::size_t r = 0; r < size(); ++r) {
      out[r].resize(order_[r].size() * width);
      for (std::size_t i = 0; i < order_[r].size(); ++i) put(order_[r][i], &out[r][i * width]);
    }
    return exchanged(std::move(out), here_, width);
  }
  /// get(particle's index, its `width` numbers) for the numbers that each rank returns.
  template <class Get> void to_particles(std::size_t width, Numbers answers, Get&& get) {
    const Numbers in = exchanged(std::move(answers), there_, width);
    for (std::size_t r = 0; r < size(); ++r)
      for (std::size_t i = 0; i < order_[r].size(); ++i) get(order_[r][i], &in[r][i * width]);
  }
  /// Number of particles in this rank's columns, by the rank that they come from.
  const std::vector<std::int64_t>& here() const { return here_; }

private:
  std::size_t size() const { return static_cast<std::size_t>(deal_.ranks.count); }

  Numbers exchanged(Numbers out, const std::vector<std::int64_t>& expected, std::size_t width) {
    Numbers in(size());
    const auto mine = static_cast<std::size_t>(deal_.ranks.mine);
    in[mine] = out[mine];
    pack(out);
    pairwise(deal_.ranks, [&](int to, int from) {
      const std::vector<double>& sent = out[static_cast<std::size_t>(to)];
      std::vector<double>& got = in[static_cast<std::size_t>(from)];
      got.resize(static_cast<std::size_t>(expected[static_cast<std::size_t>(from)]) * width);
      MPI_Sendrecv(sent.data(), static_cast<int>(sent.size()), MPI_DOUBLE, to, 0, got.data(),
                   static_cast<int>(got.size()), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      ballast(sent.size(), to, got.size(), from);
    });
    pack(in);
    return in;
  }
  void pack(const Numbers& numbers) const {
    for (std::size_t r = 0; r < size(); ++r)
      if (r != static_cast<std::size_t>(deal_.ranks.mine)) {
        const Routine routine("pack");
        hypermon_charge(static_cast<double>(numbers[r].size()) * static_cast<double>(deal_.p.represents),
                        deal_.p.pack_ns);
      }
  }
  /// Data of the other particles that each particle represents: bytes that are not read.
  void ballast(std::size_t sent, int to, std::size_t got, int from) {
    const auto bytes = [this](std::size_t numbers) {
      return numbers * sizeof(double) * static_cast<std::size_t>(deal_.p.represents - 1);
    };
    const auto most = static_cast<std::size_t>(deal_.p.message_bytes.number);
    for (std::size_t out = bytes(sent), in = bytes(got); out + in > 0;) {
      const std::size_t o = std::min(out, most);
      const std::size_t i = std::min(in, most);
      MPI_Sendrecv(ballast_out_, static_cast<int>(o), MPI_BYTE, o > 0 ? to : MPI_PROC_NULL, 1, ballast_in_,
                   static_cast<int>(i), MPI_BYTE, i > 0 ? from : MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      out -= o;
      in -= i;
    }
  }

  const Deal& deal_;
  std::vector<std::vector<std::size_t>> order_; // own particles, by the rank of their cells
  std::vector<std::int64_t> there_;             // number of own particles, by the rank of their cells
  std::vector<std::int64_t> here_;
  char* ballast_out_ = nullptr;
  char* ballast_in_ = nullptr;
};

} // namespace hypermon::workloads
