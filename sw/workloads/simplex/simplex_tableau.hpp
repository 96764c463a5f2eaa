// SPDX-License-Identifier: BSD-3-Clause
// A node's part of a linear program's tableau: maximize c x subject to A x <= b, x >= 0, with b > 0, so that the slack
// variables form a first basis. Columns (structural, then slack) are distributed cyclically; the right-hand side, the
// basis and the objective's value are on every node.
#pragma once
#include "sw/workloads/common/random.hpp"
#include <cstdint>
#include <limits>
#include <vector>

namespace hypermon::workloads {

struct LinearProgram {
  std::int64_t constraints;
  std::int64_t variables;
  std::vector<double> a; // by columns
  std::vector<double> b;
  std::vector<double> c;
};

/// Dense, bounded and feasible: 0.1 <= A < 1.1. b and c are approximately what one common x yields for every row and
/// column. The stream gives A by columns, then b, then c.
inline LinearProgram random_program(std::int64_t constraints, std::int64_t variables, std::uint64_t seed) {
  SplitMix64 random(seed);
  LinearProgram lp{constraints, variables, {}, {}, {}};
  for (std::int64_t i = 0; i < constraints * variables; ++i) lp.a.push_back(0.1 + random.uniform());
  for (std::int64_t i = 0; i < constraints; ++i)
    lp.b.push_back(static_cast<double>(variables) * (0.5 + 0.2 * random.uniform()));
  for (std::int64_t j = 0; j < variables; ++j) lp.c.push_back(1 + 0.2 * random.uniform());
  return lp;
}

class Tableau {
public:
  struct Candidate {
    double cost;
    int column;
  };
  /// Data that the owner of the entering column sends to the others.
  struct Pivot {
    std::int64_t row;
    double cost;
    std::vector<double> column;
  };

  Tableau(const LinearProgram& lp, int nodes, int node)
      : constraints_(lp.constraints), variables_(lp.variables), nodes_(nodes), node_(node), right_(lp.b) {
    for (auto j = static_cast<std::int64_t>(node); j < variables_ + constraints_; j += nodes) {
      const bool slack = j >= variables_;
      std::vector<double> entries(static_cast<std::size_t>(constraints_));
      for (std::int64_t i = 0; i < constraints_; ++i)
        entries[static_cast<std::size_t>(i)] =
            slack ? (j - variables_ == i) : lp.a[static_cast<std::size_t>(j * constraints_ + i)];
      columns_.push_back({slack ? 0 : -lp.c[static_cast<std::size_t>(j)], std::move(entries)});
    }
    for (std::int64_t i = 0; i < constraints_; ++i) basis_.push_back(variables_ + i);
  }

  std::int64_t own_columns() const { return static_cast<std::int64_t>(columns_.size()); }
  double objective() const { return objective_; }

  /// Dantzig's rule over this node's columns: the most negative reduced cost; the first among equals.
  Candidate price() const {
    Candidate best{0, std::numeric_limits<int>::max()};
    for (std::size_t k = 0; k < columns_.size(); ++k)
      if (columns_[k].cost < best.cost - tolerance) best = {columns_[k].cost, static_cast<int>(k) * nodes_ + node_};
    return best;
  }

  /// Ratio test on an own column; the first among equal rows. Row -1: the program is unbounded.
  Pivot ratio_test(int column) const {
    const Column& entering = columns_[static_cast<std::size_t>(column / nodes_)];
    Pivot pivot{-1, entering.cost, entering.entries};
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < right_.size(); ++i) {
      if (entering.entries[i] <= tolerance) continue;
      const double ratio = right_[i] / entering.entries[i];
      if (ratio < best) {
        best = ratio;
        pivot.row = static_cast<std::int64_t>(i);
      }
    }
    return pivot;
  }

  void update(const Pivot& pivot, int column) {
    for (Column& c : columns_) c.cost -= eliminate(c.entries, pivot) * pivot.cost;
    objective_ -= eliminate(right_, pivot) * pivot.cost;
    basis_[static_cast<std::size_t>(pivot.row)] = column;
  }

  std::vector<double> solution() const {
    std::vector<double> x(static_cast<std::size_t>(variables_));
    for (std::size_t i = 0; i < basis_.size(); ++i)
      if (basis_[i] < variables_) x[static_cast<std::size_t>(basis_[i])] = right_[i];
    return x;
  }

private:
  static constexpr double tolerance = 1e-9;
  struct Column {
    double cost; // reduced
    std::vector<double> entries;
  };

  /// Makes the pivot column a unit vector for the rows of `entries`. Returns the new entry of the pivot row.
  static double eliminate(std::vector<double>& entries, const Pivot& pivot) {
    const auto row = static_cast<std::size_t>(pivot.row);
    const double scaled = entries[row] / pivot.column[row];
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] -= pivot.column[i] * scaled;
    entries[row] = scaled;
    return scaled;
  }

  std::int64_t constraints_;
  std::int64_t variables_;
  int nodes_;
  int node_;
  std::vector<Column> columns_;
  std::vector<double> right_;
  std::vector<std::int64_t> basis_;
  double objective_ = 0;
};

} // namespace hypermon::workloads
