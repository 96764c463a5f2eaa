// SPDX-License-Identifier: BSD-3-Clause
// Place: standard-cell placement by simulated annealing (HYPERMON Table 1, its reference [2]).
//
// Every node stores the whole placement and owns every n-th cell. It tries to exchange two of its own cells and accepts
// according to Metropolis. Accepted exchanges go to all nodes (update_tree.hpp), which apply them between two attempts
// and until then compute with their old state. Costs and acceptances are summed globally from time to time.
//
// place.sequence_accepted > 0: each node tries a sequence of moves with its current state, then the nodes synchronize,
// and only then exchange their accepted moves ("adaptive sequence control" of Banerjee, Jones and Sargent, Parallel
// simulated annealing algorithms for cell placement on hypercube multiprocessors, 1990). The fewer moves are accepted,
// the longer are the sequences. Answer file: JSON with the first and last cost (half-perimeter wire length), the slot
// of each cell, and the numbers of attempts and acceptances.
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/distribution.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/place/cooling.hpp"
#include "sw/workloads/place/params.hpp"
#include "sw/workloads/place/placement.hpp"
#include "sw/workloads/place/update_tree.hpp"
#include <array>
#include <mpi.h>
#include <utility>
#include <vector>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

class Annealer {
public:
  Annealer(const Arguments<PlaceParams>& arguments, Ranks ranks)
      : p_(arguments.params), ranks_(ranks),
        placement_(random_netlist(p_.rows * p_.columns, p_.nets, stream_seed(arguments.seed, 0)), p_.columns,
                   stream_seed(arguments.seed, 1)),
        cooling_(p_), random_(stream_seed(arguments.seed, 2 + static_cast<std::uint64_t>(ranks.mine))),
        updates_(ranks, [this](Exchange exchange) {
          placement_.exchange(exchange.a, exchange.b);
          hypermon_charge(1, p_.update_ns);
        }) {
    own_cells_ = (p_.rows * p_.columns - ranks.mine + ranks.count - 1) / ranks.count;
    attempts_ =
        block_begin(p_.attempts, ranks.count, ranks.mine + 1) - block_begin(p_.attempts, ranks.count, ranks.mine);
  }

  void run() {
    for (std::int64_t t = 0; t < p_.temperatures; ++t) {
      const double start = MPI_Wtime();
      const auto end = block_begin(attempts_, p_.temperatures, t + 1);
      const auto begin = block_begin(attempts_, p_.temperatures, t);
      if (in_sequences()) {
        anneal_in_sequences(begin, end);
      } else {
        for (auto i = begin; i < end; ++i) attempt(progress(i));
        if ((t + 1) % p_.sum_every == 0) sum_up(progress(end));
      }
      elapsed_s_ += MPI_Wtime() - start;
    }
    updates_.finish();
  }

  const Placement& placement() const { return placement_; }
  std::int64_t accepted() const { return totals_.accepted; }
  double elapsed_s() const { return elapsed_s_; }

  /// Returns true on every node if all have the same placement. The totals are summed over all nodes.
  bool agree() {
    std::int64_t digest = 0;
    for (const auto slot : placement_.slots()) digest = (digest * 1000003 + slot) % 1000000007;
    const std::array<std::int64_t, 3> mine{digest, digest * digest % 1000000007, own_.accepted};
    std::array<std::int64_t, 3> sum{};
    MPI_Allreduce(mine.data(), sum.data(), 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    totals_.accepted = sum[2];
    return sum[0] == mine[0] * ranks_.count && sum[1] == mine[1] * ranks_.count;
  }

private:
  struct Totals {
    std::int64_t accepted = 0;
    std::int64_t cost_change = 0;
  };

  double progress(std::int64_t attempt) const {
    return static_cast<double>(attempt) / static_cast<double>(std::max<std::int64_t>(attempts_, 1));
  }
  std::int32_t own_cell() { return static_cast<std::int32_t>(random_.below(own_cells_) * ranks_.count + ranks_.mine); }

  bool in_sequences() const { return p_.sequence_accepted > 0 && ranks_.count > 1; }

  /// One temperature. All nodes make the same number of sequences, because it follows from the number of acceptances at
  /// the previous temperature, which all know.
  void anneal_in_sequences(std::int64_t begin, std::int64_t end) {
    const auto before = totals_.accepted;
    const auto sequences = std::max<std::int64_t>(1, accepted_last_ / p_.sequence_accepted);
    for (std::int64_t s = 0; s < sequences; ++s) {
      const auto stop = begin + block_begin(end - begin, sequences, s + 1);
      for (auto i = begin + block_begin(end - begin, sequences, s); i < stop; ++i) attempt(progress(i));
      sum_up(progress(stop));
      for (const Exchange exchange : std::exchange(unsent_, {})) updates_.publish(exchange);
      updates_.await(totals_.accepted - own_.accepted, [this] { hypermon_charge(1, p_.pin_ns); });
    }
    accepted_last_ = totals_.accepted - before;
  }

  void attempt(double progress) {
    if (!in_sequences()) updates_.poll();
    const std::int32_t a = own_cell();
    const std::int32_t b = own_cell();
    const auto [cost, pins] = placement_.try_exchange(a, b);
    hypermon_charge(static_cast<double>(pins), p_.pin_ns);
    const bool better = cost <= 0;
    const bool accepted =
        a != b && (random_.uniform() < std::exp(-static_cast<double>(cost) / cooling_.temperature()) || better);
    cooling_.observe(accepted, progress);
    if (!accepted) return;
    placement_.exchange(a, b);
    ++own_.accepted;
    own_.cost_change += cost;
    if (in_sequences())
      unsent_.push_back({a, b});
    else
      updates_.publish({a, b});
  }

  void sum_up(double progress) {
    const std::array<std::int64_t, 2> mine{own_.accepted, own_.cost_change};
    std::array<std::int64_t, 2> sum{};
    MPI_Allreduce(mine.data(), sum.data(), 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    totals_ = {sum[0], sum[1]};
    cooling_.correct(totals_.accepted, progress);
  }

  const PlaceParams p_;
  Ranks ranks_;
  Placement placement_;
  Cooling cooling_;
  SplitMix64 random_;
  UpdateTree updates_;
  std::int64_t own_cells_ = 0;
  std::int64_t attempts_ = 0;
  Totals own_;
  Totals totals_;
  std::vector<Exchange> unsent_;   // accepted in this sequence
  std::int64_t accepted_last_ = 0; // number accepted by all nodes at the previous temperature
  double elapsed_s_ = 0;
};

bool write_answer(const Annealer& annealer, std::int64_t first_cost, const PlaceParams& p, const std::string& path) {
  const File file = open_answer(path);
  if (!file) return false;
  std::fprintf(file.get(), "{\"first_cost\": %d, \"cost\": %d, \"attempts\": %d, \"accepted\": %d,\n \"slots\": [",
               static_cast<int>(first_cost), static_cast<int>(annealer.placement().cost()),
               static_cast<int>(p.attempts), static_cast<int>(annealer.accepted()));
  const char* separator = "";
  for (const auto slot : annealer.placement().slots()) {
    std::fprintf(file.get(), "%s%d", separator, slot);
    separator = ", ";
  }
  return std::fprintf(file.get(), "]}\n") > 0;
}

int run(const Arguments<PlaceParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (!std::has_single_bit(static_cast<unsigned>(ranks.count)) || ranks.count > p.rows * p.columns) {
    if (ranks.mine == 0)
      std::fprintf(stderr, "place: %d ranks are not a power of two, or more than cells\n", ranks.count);
    return bad_arguments;
  }
  Annealer annealer(arguments, ranks);
  const auto first_cost = annealer.placement().cost();
  annealer.run();
  if (!annealer.agree()) {
    std::fprintf(stderr, "place: rank %d: the nodes' placements differ\n", ranks.mine);
    return 1;
  }
  if (ranks.mine != 0) return 0;
  std::printf("place: %d of %d moves accepted in %.3f s, cost from %d to %d\n", static_cast<int>(annealer.accepted()),
              static_cast<int>(p.attempts), annealer.elapsed_s(), static_cast<int>(first_cost),
              static_cast<int>(annealer.placement().cost()));
  return arguments.output.empty() || write_answer(annealer, first_cost, p, arguments.output) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<PlaceParams>(argc, argv, run); }
