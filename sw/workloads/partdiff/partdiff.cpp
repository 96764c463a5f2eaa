// SPDX-License-Identifier: BSD-3-Clause
// Partdiff: Poisson's equation on a square by relaxation, in strips of rows (HDTrace sec. 6: partdiff-par). It stores
// checkpoints and the matrix's diagonal by MPI-IO (partdiff_files.hpp).
//
// Jacobi: in each sweep a rank exchanges its edge rows with its neighbours, then computes. Gauss-Seidel: a rank begins
// a sweep with the last row of the rank above from the same sweep, and the first row of the rank below from the
// previous sweep. So the ranks work one behind the other, and the numbers are the same as with one rank.
//
// Answer file: the matrix after the last sweep, a .npy of doubles. Matrices above largest_computed are not computed.
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/hints.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/partdiff/params.hpp"
#include "sw/workloads/partdiff/partdiff_files.hpp"
#include <utility>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

class Solver {
public:
  Solver(const PartdiffParams& p, const Rows& rows)
      : p_(p), rows_(rows), computed_(rows.lines <= p.largest_computed), poisson_(p.source, rows.lines),
        strip_(rows, computed_),
        next_(computed_ && p.method == RelaxationMethod::jacobi ? std::make_unique<Strip>(rows, true) : nullptr) {
    if (computed_) poisson_.initialise(strip_);
    if (next_) poisson_.initialise(*next_);
  }
  ~Solver() { MPI_Waitall(2, sent_.data(), MPI_STATUSES_IGNORE); }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  bool computed() const { return computed_; }
  Strip& strip() { return strip_; }

  /// Sweeps over this rank's points; returns the largest change.
  double sweep(std::int64_t iteration) {
    return p_.method == RelaxationMethod::jacobi ? jacobi() : gauss_seidel(iteration);
  }

private:
  enum Tag { upwards, downwards };

  double relax(Strip& to, std::int64_t begin, std::int64_t end) {
    double largest = 0;
    if (computed_)
      for (auto r = begin; r < end; ++r) largest = std::max(largest, poisson_.relax(strip_, to, r));
    hypermon_charge(static_cast<double>((end - begin) * (rows_.lines - 2)), p_.point_ns);
    return largest;
  }
  double jacobi() {
    const int columns = static_cast<int>(rows_.lines);
    MPI_Sendrecv(strip_.row(strip_.first()), columns, MPI_DOUBLE, rows_.above(), upwards, strip_.row(strip_.end()),
                 columns, MPI_DOUBLE, rows_.below(), upwards, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(strip_.row(strip_.end() - 1), columns, MPI_DOUBLE, rows_.below(), downwards,
                 strip_.row(strip_.first() - 1), columns, MPI_DOUBLE, rows_.above(), downwards, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    const double largest = relax(next_ ? *next_ : strip_, strip_.first(), strip_.end());
    if (next_) std::swap(strip_, *next_);
    return largest;
  }
  double gauss_seidel(std::int64_t iteration) {
    const int columns = static_cast<int>(rows_.lines);
    const auto receive = [&](std::int64_t row, int from, Tag tag) {
      MPI_Recv(strip_.row(row), columns, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    const auto send = [&](std::int64_t row, int to, Tag tag) {
      MPI_Isend(strip_.row(row), columns, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &sent_[tag]);
    };
    if (iteration > 1) receive(strip_.end(), rows_.below(), upwards);
    receive(strip_.first() - 1, rows_.above(), downwards);
    // Both sends are complete: the rank above used the one in this sweep, the rank below used the other in the previous
    // sweep.
    MPI_Waitall(2, sent_.data(), MPI_STATUSES_IGNORE);
    double largest = relax(strip_, strip_.first(), strip_.first() + 1);
    if (iteration < p_.iterations) send(strip_.first(), rows_.above(), upwards);
    largest = std::max(largest, relax(strip_, strip_.first() + 1, strip_.end()));
    send(strip_.end() - 1, rows_.below(), downwards);
    return largest;
  }

  const PartdiffParams& p_;
  const Rows& rows_;
  bool computed_;
  Poisson poisson_;
  Strip strip_;
  std::unique_ptr<Strip> next_;                                         // for Jacobi's method
  std::array<MPI_Request, 2> sent_{MPI_REQUEST_NULL, MPI_REQUEST_NULL}; // by Tag
};

bool write_answer(const Rows& rows, Strip& strip, const std::string& path) {
  const auto numbers = [&](int rank) { return (rows.end(rank) - rows.begin(rank)) * rows.lines; };
  const double* const mine = strip.row(rows.begin(rows.ranks.mine));
  return write_rows(rows.ranks, path, "<f8", std::vector<double>(mine, mine + numbers(rows.ranks.mine)), numbers,
                    rows.lines);
}

int run(const Arguments<PartdiffParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  const Rows rows{8 * p.interlines + 9, ranks};
  if (ranks.count > rows.lines - 2)
    return refuse(ranks, "--interlines=" + std::to_string(p.interlines) + ": " + std::to_string(rows.lines - 2) +
                             " inner rows, fewer than the " + std::to_string(ranks.count) + " ranks");
  MPI_Info hints = MPI_INFO_NULL;
  if (!parse_hints(p.hints, hints)) return refuse(ranks, "--hints=" + p.hints + ": must be words NAME=VALUE");
  Solver solver(p, rows);
  {
    PartdiffFiles files(p, rows, hints);
    double residuum = 0;
    for (std::int64_t i = 1; i <= p.iterations; ++i) {
      const double change = solver.sweep(i);
      if (p.residuum_every != 0 && i % p.residuum_every == 0)
        MPI_Allreduce(&change, &residuum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      files.write(solver.strip(), i);
    }
    if (ranks.mine == 0 && !solver.computed()) std::printf("partdiff: not computed, only charged\n");
    if (ranks.mine == 0 && solver.computed()) std::printf("partdiff: residuum %.6g\n", residuum);
  }
  MPI_Info_free(&hints);
  measure(false); // the answer is not part of the measured program
  if (arguments.output.empty() || !solver.computed()) return 0;
  return write_answer(rows, solver.strip(), arguments.output) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<PartdiffParams>(argc, argv, run); }
