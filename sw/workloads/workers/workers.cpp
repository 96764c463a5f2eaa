// SPDX-License-Identifier: BSD-3-Clause
// Workers: rank 0 is the master and distributes tasks, one at a time, to workers that request one. The other ranks are
// workers. Tasks differ in length, so their distribution is not known in advance.
//
// Task i is the integral of 4 / (1 + x^2) over part i of `tasks` equal parts of [0, 1], by the midpoint rule with a
// seeded number of points. The sum of all integrals is pi. Answer file: a .npy of doubles with a row for each task:
// number of results received, rank of the worker, integral.
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/common/random.hpp"
#include "sw/workloads/workers/params.hpp"
#include <cmath>
#include <vector>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

constexpr double no_task = -1; // a worker's first message has no result, the master's last message has no task
enum Tag { deal, result };

struct Result {
  double task;
  double value;
};

/// Number of points of a task: exponentially distributed, at least one.
std::int64_t points_of(std::int64_t task, const WorkersParams& p, std::uint64_t seed) {
  return 1 + static_cast<std::int64_t>(-std::log1p(-SplitMix64::number(seed, task)) * static_cast<double>(p.points));
}

double integrate(std::int64_t task, const WorkersParams& p, std::uint64_t seed) {
  const auto points = points_of(task, p, seed);
  const double step = 1.0 / static_cast<double>(p.tasks) / static_cast<double>(points);
  const double begin = static_cast<double>(task) / static_cast<double>(p.tasks);
  double sum = 0;
  for (std::int64_t i = 0; i < points; ++i) {
    const double x = begin + (static_cast<double>(i) + 0.5) * step;
    sum += 4 / (1 + x * x);
  }
  hypermon_charge(static_cast<double>(points), p.point_ns);
  return sum * step;
}

void work(const WorkersParams& p, std::uint64_t seed) {
  Result mine{no_task, 0};
  for (;;) {
    MPI_Send(&mine, 2, MPI_DOUBLE, 0, result, MPI_COMM_WORLD);
    MPI_Recv(&mine.task, 1, MPI_DOUBLE, 0, deal, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (mine.task == no_task) return;
    mine.value = integrate(static_cast<std::int64_t>(mine.task), p, seed);
  }
}

/// Returns the rows of the answer.
std::vector<double> master(const WorkersParams& p, int workers) {
  std::vector<double> rows(static_cast<std::size_t>(3 * p.tasks));
  std::int64_t next = 0;
  while (workers > 0) {
    Result theirs{};
    MPI_Status status;
    MPI_Recv(&theirs, 2, MPI_DOUBLE, MPI_ANY_SOURCE, result, MPI_COMM_WORLD, &status);
    if (theirs.task != no_task) {
      double* row = &rows[static_cast<std::size_t>(3 * theirs.task)];
      row[0] += 1;
      row[1] = status.MPI_SOURCE;
      row[2] += theirs.value;
    }
    hypermon_charge(1, p.deal_ns);
    const double task = next < p.tasks ? static_cast<double>(next++) : no_task;
    if (task == no_task) --workers;
    MPI_Send(&task, 1, MPI_DOUBLE, status.MPI_SOURCE, deal, MPI_COMM_WORLD);
  }
  return rows;
}

int run(const Arguments<WorkersParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (ranks.count < 2) return refuse(ranks, "workers: needs a rank besides the master");
  std::vector<double> rows;
  if (ranks.mine == 0)
    rows = master(p, ranks.count - 1);
  else
    work(p, arguments.seed);
  measure(false); // writing the answer is not part of the measured program
  if (ranks.mine != 0 || arguments.output.empty()) return 0;
  return write_npy(arguments.output, "<f8", sizeof(double), rows.data(), p.tasks, 3) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<WorkersParams>(argc, argv, run); }
