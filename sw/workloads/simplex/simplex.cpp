// SPDX-License-Identifier: BSD-3-Clause
// Simplex: linear programs by the column-wise parallel Simplex method (HYPERMON Table 1, its reference [11]).
//
// For each pivot every node prices its columns. A global minimum by dimension exchange of short messages determines the
// entering column. Its owner performs the ratio test and sends the column to all nodes along a binomial tree, with one
// long message per edge. Then all nodes update their columns. The other nodes poll for the pivot column (assumed: it
// explains why Table 2's Simplex on 2 nodes logs fewer events under HYPERMON, where each poll costs more, than with the
// software monitor). The program measures its own three phases with one clock call each.
//
// Answer file: JSON, a list with `objective`, `pivots` and the solution `x` of each problem.
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/simplex/params.hpp"
#include "sw/workloads/simplex/simplex_tableau.hpp"
#include <bit>
#include <mpi.h>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

enum Tag { pivot_column };

/// Sum of the times between readings of the node's clock, by phase.
class PhaseTimer {
public:
  void start() { last_ = MPI_Wtime(); }
  void end_of(double& phase) {
    const double now = MPI_Wtime();
    phase += now - last_;
    last_ = now;
  }
  double choose_s = 0;
  double pivot_column_s = 0;
  double update_s = 0;

private:
  double last_ = 0;
};

/// The global minimum of the reduced costs; the first column among equals, so that the pivots do not depend on the
/// number of nodes.
Tableau::Candidate choose_column(const Tableau& tableau, const SimplexParams& p) {
  const Tableau::Candidate mine = tableau.price();
  hypermon_charge(static_cast<double>(tableau.own_columns()), p.price_ns);
  Tableau::Candidate best{};
  MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  return best;
}

/// Two-phase waiting: decides whether a node has polled long enough and should block instead. The limit is the number
/// of its misses, or a time. It reads the clock only if there is a limit of time.
class Patience {
public:
  explicit Patience(const SimplexParams& p) : p_(p), begin_s_(p.poll_limit_us > 0 ? MPI_Wtime() : 0) {}
  bool ends_at(std::int64_t misses) const {
    if (p_.poll_limit > 0 && misses >= p_.poll_limit) return true;
    return p_.poll_limit_us > 0 && MPI_Wtime() - begin_s_ >= p_.poll_limit_us.seconds();
  }

private:
  const SimplexParams& p_;
  double begin_s_;
};

/// MPI_Recv that polls until the message has arrived, with a longer pause after each miss, or until patience ends.
void poll_and_receive(std::vector<double>& message, int source, const SimplexParams& p) {
  const Patience patience(p);
  for (int misses = 0, there = 0;; ++misses) {
    MPI_Iprobe(source, pivot_column, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there || patience.ends_at(misses + 1)) break;
    hypermon_charge(misses, p.poll_ns);
  }
  MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, source, pivot_column, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

/// Binomial tree on the hypercube: in step k the nodes that have the message (those whose distance to the root is less
/// than 2^k) send along dimension k.
void broadcast(std::vector<double>& message, Ranks ranks, int root, const SimplexParams& p) {
  const auto distance = static_cast<unsigned>(ranks.mine ^ root);
  const auto first_step = static_cast<int>(std::bit_width(distance)); // 0 for the root
  if (distance != 0) poll_and_receive(message, ranks.mine ^ (1 << (first_step - 1)), p);
  for (int step = first_step; (1 << step) < ranks.count; ++step)
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, ranks.mine ^ (1 << step), pivot_column,
             MPI_COMM_WORLD);
}

/// The message has the pivot's row, its reduced cost, then the column.
Tableau::Pivot share_pivot(const Tableau& tableau, int column, Ranks ranks, const SimplexParams& p) {
  const int owner = column % ranks.count;
  std::vector<double> message(static_cast<std::size_t>(p.constraints) + 2);
  if (ranks.mine == owner) {
    const Tableau::Pivot pivot = tableau.ratio_test(column);
    hypermon_charge(static_cast<double>(p.constraints), p.ratio_ns);
    message[0] = static_cast<double>(pivot.row);
    message[1] = pivot.cost;
    std::copy(pivot.column.begin(), pivot.column.end(), message.begin() + 2);
  }
  broadcast(message, ranks, owner, p);
  return {static_cast<std::int64_t>(message[0]), message[1], {message.begin() + 2, message.end()}};
}

struct Answer {
  double objective;
  std::int64_t pivots;
  std::vector<double> x;
};

Answer solve(const LinearProgram& lp, Ranks ranks, const SimplexParams& p, PhaseTimer& timer) {
  Tableau tableau(lp, ranks.count, ranks.mine);
  for (std::int64_t pivots = 0;; ++pivots) {
    const Tableau::Candidate entering = choose_column(tableau, p);
    timer.end_of(timer.choose_s);
    if (entering.cost >= 0) return {tableau.objective(), pivots, tableau.solution()};

    const Tableau::Pivot pivot = share_pivot(tableau, entering.column, ranks, p);
    timer.end_of(timer.pivot_column_s);
    if (pivot.row < 0) { // random_program never makes an unbounded one
      std::fprintf(stderr, "simplex: unbounded\n");
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    tableau.update(pivot, entering.column);
    // Every column and the right-hand side, each with its entry of the cost row.
    hypermon_charge(static_cast<double>((tableau.own_columns() + 1) * (p.constraints + 1)), p.update_ns);
    timer.end_of(timer.update_s);
  }
}

bool write_answers(const std::vector<Answer>& answers, const std::string& path) {
  const File file = open_answer(path);
  if (!file) return false;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    std::fprintf(file.get(), "%s{\"objective\": %.17g, \"pivots\": %d, \"x\": [", i == 0 ? "[" : ",\n ",
                 answers[i].objective, static_cast<int>(answers[i].pivots));
    for (std::size_t j = 0; j < answers[i].x.size(); ++j)
      std::fprintf(file.get(), "%s%.17g", j == 0 ? "" : ", ", answers[i].x[j]);
    std::fprintf(file.get(), "]}");
  }
  return std::fprintf(file.get(), "]\n") > 0;
}

int run(const Arguments<SimplexParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (!std::has_single_bit(static_cast<unsigned>(ranks.count))) {
    if (ranks.mine == 0) std::fprintf(stderr, "simplex: %d ranks are not a power of two\n", ranks.count);
    return bad_arguments;
  }
  PhaseTimer timer;
  timer.start();
  std::vector<Answer> answers;
  std::int64_t pivots = 0;
  for (std::int64_t i = 0; i < p.problems; ++i) {
    const auto seed = stream_seed(static_cast<std::uint64_t>(p.instance), static_cast<std::uint64_t>(i));
    answers.push_back(solve(random_program(p.constraints, p.variables, seed), ranks, p, timer));
    pivots += answers.back().pivots;
  }
  if (ranks.mine != 0) return 0;
  std::printf("simplex: %d pivots; choosing %.3f s, pivot columns %.3f s, updates %.3f s\n", static_cast<int>(pivots),
              timer.choose_s, timer.pivot_column_s, timer.update_s);
  return arguments.output.empty() || write_answers(answers, arguments.output) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<SimplexParams>(argc, argv, run); }
