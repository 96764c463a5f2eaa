// SPDX-License-Identifier: BSD-3-Clause
// FFT: the two-dimensional Fourier transform of a square of complex numbers in four steps: rows, transposition, rows,
// transposition. Rows are distributed in blocks; a transposition is an exchange of every rank with every rank.
//
// The real and imaginary parts of the square in turn are the seed's stream minus 1/2, in row order. Answer file: the
// square after `repeats` transforms, each scaled by 1/size, a .npy of complex doubles.
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/distribution.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/pairwise.hpp"
#include "sw/workloads/common/random.hpp"
#include "sw/workloads/fft/fourier.hpp"
#include "sw/workloads/fft/params.hpp"
#include <bit>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

class Rows {
public:
  Rows(const FftParams& p, Ranks ranks, std::uint64_t seed)
      : p_(p), ranks_(ranks), numbers_(static_cast<std::size_t>(count(ranks.mine) * p.size)) {
    auto i = 2 * begin(ranks.mine) * p.size;
    for (auto& number : numbers_) {
      number = {SplitMix64::number(seed, i) - 0.5, SplitMix64::number(seed, i + 1) - 0.5};
      i += 2;
    }
  }

  void transform() {
    const auto size = static_cast<std::size_t>(p_.size);
    for (std::size_t row = 0; row < numbers_.size(); row += size) {
      fourier(&numbers_[row], size);
      hypermon_charge(butterflies(size), p_.butterfly_ns);
    }
  }
  void transpose() {
    Numbers turned(numbers_.size());
    unpack(pack(ranks_.mine), ranks_.mine, turned);
    pairwise(ranks_, [&](int to, int from) {
      const Numbers out = pack(to);
      Numbers in(static_cast<std::size_t>(count(ranks_.mine) * count(from)));
      MPI_Sendrecv(out.data(), bytes(out), MPI_BYTE, to, 0, in.data(), bytes(in), MPI_BYTE, from, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      unpack(in, from, turned);
    });
    hypermon_charge(static_cast<double>(numbers_.size()), p_.copy_ns);
    numbers_ = std::move(turned);
  }
  const Numbers& numbers() const { return numbers_; }
  std::int64_t count(int rank) const { return begin(rank + 1) - begin(rank); }

private:
  static int bytes(const Numbers& numbers) { return static_cast<int>(numbers.size() * sizeof(Complex)); }
  std::int64_t begin(int rank) const { return block_begin(p_.size, ranks_.count, rank); }
  std::size_t at(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * p_.size + column);
  }

  /// Packs the numbers that `rank` gets in the transposition: its columns of this rank's rows, column by column.
  Numbers pack(int rank) const {
    Numbers out;
    for (std::int64_t c = begin(rank); c < begin(rank + 1); ++c)
      for (std::int64_t r = 0; r < count(ranks_.mine); ++r) out.push_back(numbers_[at(r, c)]);
    return out;
  }
  void unpack(const Numbers& in, int rank, Numbers& turned) const {
    auto next = in.begin();
    for (std::int64_t r = 0; r < count(ranks_.mine); ++r)
      for (std::int64_t c = begin(rank); c < begin(rank + 1); ++c) turned[at(r, c)] = *next++;
  }

  const FftParams& p_;
  Ranks ranks_;
  Numbers numbers_;
};

int run(const Arguments<FftParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (!std::has_single_bit(static_cast<std::uint64_t>(p.size)))
    return refuse(ranks, "--size=" + std::to_string(p.size) + ": must be a power of two");
  if (ranks.count > p.size)
    return refuse(ranks, "--size=" + std::to_string(p.size) + ": must be at least " + std::to_string(ranks.count) +
                             ", a row for every rank");
  Rows rows(p, ranks, arguments.seed);
  for (std::int64_t repeat = 0; repeat < p.repeats; ++repeat)
    for (int axis = 0; axis < 2; ++axis) {
      rows.transform();
      rows.transpose();
    }
  measure(false); // the answer is not part of the measured program
  if (arguments.output.empty()) return 0;
  const auto count = [&](int rank) { return rows.count(rank) * p.size; };
  return write_rows(ranks, arguments.output, "<c16", rows.numbers(), count, p.size) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<FftParams>(argc, argv, run); }
