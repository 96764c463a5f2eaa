// SPDX-License-Identifier: BSD-3-Clause
// CG: the method of conjugate gradients for Poisson's equation on a square (five-point stencil), in strips of rows.
// Per iteration a node exchanges one row with each neighbour and takes part in two global sums of one number.
//
// 4 x - (sum of the four neighbours) = b, x = 0 around the square, b is the seed's stream in row order.
// Answer file: x, a .npy of doubles.
#include "sw/workloads/cg/params.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/distribution.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/common/random.hpp"
#include <cmath>
#include <numeric>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
using Vector = std::vector<double>;

class Strip {
public:
  Strip(const CgParams& p, Ranks ranks)
      : p_(p), ranks_(ranks), columns_(static_cast<std::size_t>(p.size)),
        first_(block_begin(p.size, ranks.count, ranks.mine)),
        rows_(static_cast<std::size_t>(block_begin(p.size, ranks.count, ranks.mine + 1) - first_)) {}

  Vector right_side(std::uint64_t seed) const {
    Vector b(rows_ * columns_);
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = SplitMix64::number(seed, first_ * p_.size + static_cast<std::int64_t>(i));
    return b;
  }
  double dot(const Vector& a, const Vector& b) const {
    const double mine = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    charge(1);
    double sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }
  /// y += a x
  void add(Vector& y, double a, const Vector& x) const {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
    charge(1);
  }
  /// The matrix times x.
  Vector times(const Vector& x) const {
    Vector padded(x.size() + 2 * columns_); // with the neighbours' rows; zero at the edges of the square
    std::copy(x.begin(), x.end(), padded.begin() + p_.size);
    double* first = &padded[columns_];
    shift(first, ranks_.mine - 1, first + x.size(), ranks_.mine + 1);
    shift(first + x.size() - columns_, ranks_.mine + 1, padded.data(), ranks_.mine - 1);
    Vector y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t column = i % columns_;
      const double left = column > 0 ? x[i - 1] : 0;
      const double right = column + 1 < columns_ ? x[i + 1] : 0;
      y[i] = 4 * x[i] - left - right - padded[i] - padded[i + 2 * columns_];
    }
    charge(5);
    return y;
  }

private:
  void charge(double multiply_adds) const {
    hypermon_charge(static_cast<double>(rows_ * columns_) * multiply_adds, p_.multiply_add_ns);
  }
  int neighbour(int rank) const { return rank < 0 || rank >= ranks_.count ? MPI_PROC_NULL : rank; }
  void shift(const double* out, int to, double* in, int from) const {
    const auto count = static_cast<int>(columns_);
    MPI_Sendrecv(out, count, MPI_DOUBLE, neighbour(to), 0, in, count, MPI_DOUBLE, neighbour(from), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  const CgParams& p_;
  Ranks ranks_;
  std::size_t columns_;
  std::int64_t first_;
  std::size_t rows_;
};

int run(const Arguments<CgParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (ranks.count > p.size)
    return refuse(ranks, "--size=" + std::to_string(p.size) + ": must be at least " + std::to_string(ranks.count) +
                             ", a row for every rank");
  const Strip strip(p, ranks);
  Vector residual = strip.right_side(arguments.seed);
  Vector direction = residual;
  Vector x(residual.size());
  double square = strip.dot(residual, residual);
  const double enough = square * p.tolerance * p.tolerance;
  std::int64_t iteration = 0;
  for (; iteration < p.iterations && square > enough; ++iteration) {
    const Vector image = strip.times(direction);
    const double step = square / strip.dot(direction, image);
    strip.add(x, step, direction);
    strip.add(residual, -step, image);
    const double next = strip.dot(residual, residual);
    Vector turned = residual;
    strip.add(turned, next / square, direction);
    direction = std::move(turned);
    square = next;
  }
  if (ranks.mine == 0)
    std::printf("cg: residual %.3g after %d iterations\n", std::sqrt(square), static_cast<int>(iteration));
  measure(false); // the answer is not part of the measured program
  if (arguments.output.empty()) return 0;
  const auto count = [&](int rank) {
    return (block_begin(p.size, ranks.count, rank + 1) - block_begin(p.size, ranks.count, rank)) * p.size;
  };
  return write_rows(ranks, arguments.output, "<f8", x, count, p.size) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<CgParams>(argc, argv, run); }
