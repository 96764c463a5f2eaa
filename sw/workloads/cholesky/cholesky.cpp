// SPDX-License-Identifier: BSD-3-Clause
// Cholesky: A = L L^T of a symmetric positive definite matrix, on block-cyclic columns (HPVM sec. 4: "heavily uses
// collective communication (broadcasts and reductions)"). The paper gives no details; docs/design/hpvm.md has the
// assumptions.
//
// For each panel, its owner factors and broadcasts it, and all ranks update their columns behind it. Then a reduction
// finds the smallest number on the diagonal of the rest, which must be positive.
//
// A(i, j), i >= j, is number i * size + j of the seed's stream, plus diagonal * size where i = j.
//
// Answer file: L, a .npy of doubles with zeros above the diagonal. Matrices above largest_computed are not computed.
#include "sw/workloads/cholesky/panels.hpp"
#include "sw/workloads/cholesky/params.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/common/random.hpp"
#include <cmath>
#include <limits>
#include <map>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
/// Entries of a panel from its diagonal down, column by column.
using Numbers = std::vector<double>;

std::size_t place(std::int64_t rows, std::int64_t column, std::int64_t row) {
  return static_cast<std::size_t>(column * rows + row);
}

/// The columns of one rank, by panel.
class Columns {
public:
  Columns(const Panels& panels, int rank, const CholeskyParams& p, std::uint64_t seed) : panels_(panels), rank_(rank) {
    for (std::int64_t k = rank; k < panels.count(); k += panels.ranks) own_.emplace(k, random(k, p, seed));
  }
  /// Left-looking within the panel; entries above the diagonal stay zero. Returns the smallest pivot. If it is not
  /// positive, the matrix has no factor, and the rest of the panel is unchanged.
  double factor(std::int64_t panel) {
    Numbers& a = own_.at(panel);
    const auto rows = panels_.rows(panel);
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t c = 0; c < panels_.width(panel); ++c) {
      for (std::int64_t d = 0; d < c; ++d) {
        const double* from = &a[place(rows, d, c)];
        subtract(&a[place(rows, c, c)], *from, from, rows - c);
      }
      const double pivot = a[place(rows, c, c)];
      least = std::min(least, pivot);
      if (!(pivot > 0)) break;
      for (std::int64_t r = c; r < rows; ++r) a[place(rows, c, r)] /= std::sqrt(pivot);
    }
    return least;
  }
  /// Updates the columns with a panel that all ranks have received.
  void update(std::int64_t panel, const Numbers& factored) {
    const auto height = panels_.rows(panel);
    for (auto j = panels_.next(panel, rank_); j < panels_.count(); j += panels_.ranks) {
      Numbers& a = own_.at(j);
      const auto rows = panels_.rows(j);
      for (std::int64_t c = 0; c < panels_.width(j); ++c) {
        const auto row = panels_.begin(j) - panels_.begin(panel) + c;
        for (std::int64_t d = 0; d < panels_.width(panel); ++d) {
          const double* from = &factored[place(height, d, row)];
          subtract(&a[place(rows, c, c)], *from, from, rows - c);
        }
      }
    }
  }
  /// Smallest number on the diagonal of the columns after that panel; infinite if there are none.
  double least_behind(std::int64_t panel) const {
    double least = std::numeric_limits<double>::infinity();
    for (auto j = panels_.next(panel, rank_); j < panels_.count(); j += panels_.ranks)
      for (std::int64_t c = 0; c < panels_.width(j); ++c)
        least = std::min(least, own_.at(j)[place(panels_.rows(j), c, c)]);
    return least;
  }
  const Numbers& operator[](std::int64_t panel) const { return own_.at(panel); }
  /// All panels, one after the other.
  Numbers all() const {
    Numbers numbers;
    for (const auto& [panel, part] : own_) numbers.insert(numbers.end(), part.begin(), part.end());
    return numbers;
  }

private:
  static void subtract(double* to, double factor, const double* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] -= factor * from[i];
  }
  Numbers random(std::int64_t panel, const CholeskyParams& p, std::uint64_t seed) const {
    const auto rows = panels_.rows(panel);
    const auto first = panels_.begin(panel);
    Numbers a(static_cast<std::size_t>(panels_.width(panel) * rows));
    for (std::int64_t c = 0; c < panels_.width(panel); ++c) {
      for (std::int64_t r = c; r < rows; ++r)
        a[place(rows, c, r)] = SplitMix64::number(seed, (first + r) * p.size + first + c);
      a[place(rows, c, c)] += p.diagonal * static_cast<double>(p.size);
    }
    return a;
  }

  const Panels& panels_;
  int rank_;
  std::map<std::int64_t, Numbers> own_;
};

/// Charges CPU time of work on a working set of which the cache holds a part.
void charge(const CholeskyParams& p, std::int64_t multiply_adds, std::int64_t numbers) {
  const double bytes = 8 * static_cast<double>(numbers);
  const double cached = bytes > 1e3 * p.cache_kb ? 1e3 * p.cache_kb / bytes : 1;
  hypermon_charge(static_cast<double>(multiply_adds), (1 - p.cache_gain * cached) * p.multiply_add_ns);
}

/// Returns false if the matrix has no factor. `columns`: null if the work is only charged.
bool factorize(const Panels& panels, Ranks ranks, const CholeskyParams& p, Columns* columns) {
  hypermon_working_set(8 * panels.numbers_behind(-1, ranks.mine));
  for (std::int64_t k = 0; k < panels.count(); ++k) {
    Numbers panel(static_cast<std::size_t>(panels.width(k) * panels.rows(k)));
    double mine = std::numeric_limits<double>::infinity();
    if (panels.owner(k) == ranks.mine) {
      if (columns) {
        mine = columns->factor(k);
        panel = (*columns)[k];
      }
      charge(p, panels.factoring(k), panels.numbers(k));
    }
    hypermon_working_set(8 * (panels.numbers_behind(k, ranks.mine) + panels.numbers(k)));
    MPI_Bcast(panel.data(), static_cast<int>(panel.size()), MPI_DOUBLE, panels.owner(k), MPI_COMM_WORLD);
    if (columns) columns->update(k, panel);
    const auto behind = panels.numbers_behind(k, ranks.mine);
    charge(p, behind * panels.width(k), behind);
    if (columns) mine = std::min(mine, columns->least_behind(k));
    double least = 0;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    if (!(least > 0)) return false;
  }
  return true;
}

bool write_factor(const Panels& panels, Ranks ranks, const Columns& columns, const std::string& path) {
  const auto size = static_cast<std::size_t>(panels.size);
  Numbers factor(ranks.mine == 0 ? size * size : 0);
  const auto count = [&](int rank) {
    std::int64_t numbers = 0;
    for (std::int64_t k = rank; k < panels.count(); k += panels.ranks) numbers += panels.width(k) * panels.rows(k);
    return numbers;
  };
  collect(ranks, columns.all(), count, [&](int rank, const Numbers& part) {
    auto number = part.begin();
    for (std::int64_t k = rank; k < panels.count(); k += panels.ranks)
      for (std::int64_t c = 0; c < panels.width(k); ++c)
        for (std::int64_t r = 0; r < panels.rows(k); ++r)
          factor[place(panels.size, panels.begin(k) + r, panels.begin(k) + c)] = *number++;
  });
  return ranks.mine != 0 || write_npy(path, "<f8", sizeof(double), factor.data(), panels.size, panels.size);
}

int run(const Arguments<CholeskyParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  const Panels panels{p.size, p.block, ranks.count};
  if (p.size > p.largest_computed) {
    factorize(panels, ranks, p, nullptr);
    if (ranks.mine == 0) std::printf("cholesky: not computed, only charged\n");
    return 0;
  }
  Columns columns(panels, ranks.mine, p, arguments.seed);
  const bool has_factor = factorize(panels, ranks, p, &columns);
  measure(false); // the answer is not part of the measured program
  if (!has_factor) {
    if (ranks.mine == 0) std::fprintf(stderr, "cholesky: the matrix is not positive definite\n");
    return 1;
  }
  if (arguments.output.empty()) return 0;
  return write_factor(panels, ranks, columns, arguments.output) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<CholeskyParams>(argc, argv, run); }
