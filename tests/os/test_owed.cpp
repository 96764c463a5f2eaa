// SPDX-License-Identifier: BSD-3-Clause
// What an observer charges a rank with Execution::owe(), against the same charged at once with Execution::compute().
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "sw/mpi/observer.hpp"
#include "sw/mpi/program_counters.hpp"
#include "tests/catch.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

extern "C" void hypermon_event(unsigned char value);
extern "C" void hypermon_start_timer(const char* routine);
extern "C" void hypermon_stop_timer(const char* routine);
extern "C" void hypermon_dump_profile();

using namespace hypermon;
using namespace hypermon::test;
using hypermon::testing::Random;

namespace {

constexpr int most_nodes = 4;
constexpr int most_ranks = 8;

/// Takes a random time of a rank before and after each notification, and records the dates.
class Charging : public MpiObserver {
public:
  Charging(bool at_once, std::uint64_t seed)
      : at_once_(at_once), random_(most_ranks, Random(seed)), dates_(most_ranks) {}
  void enter(const RankState& rank, const MpiCall&) override { charge(rank); }
  void leave(const RankState& rank, const MpiCall&) override { charge(rank); }
  void start_timer(RankState& rank, const Routine&) override { charge(rank); }
  void stop_timer(RankState& rank, const Routine&) override { charge(rank); }
  void dump_point(RankState& rank) override { seen(rank, simgrid_now()); }
  void event(const RankState& rank, unsigned char) override { seen(rank, simgrid_now()); }

  /// Dates of all ranks, both those that no other rank sees and those that others see.
  std::vector<double> all() const {
    std::vector<double> all;
    for (const auto& of_rank : dates_) all.insert(all.end(), of_rank.begin(), of_rank.end());
    return all;
  }
  bool keeps_inner = true;

private:
  void charge(const RankState& rank) {
    const Time cost = Time::from_ps(random_[static_cast<std::size_t>(rank.rank)].below(3'000'000));
    if (keeps_inner) seen(rank, Execution::date(rank));
    if (at_once_)
      execution().compute(rank_table().self(), cost);
    else
      execution().owe(rank_table().self(), cost);
  }
  void seen(const RankState& rank, Time date) {
    dates_[static_cast<std::size_t>(rank.rank)].push_back(static_cast<double>(date.ps()));
  }

  bool at_once_;
  std::vector<Random> random_;
  std::vector<std::vector<double>> dates_;
};

void random_program(int rank, int ranks, std::uint64_t seed) {
  Random own(seed * 100 + static_cast<std::uint64_t>(rank));
  Random shared(seed);
  char out[3000] = {};
  char in[3000];
  const auto bracketed = [&](const char* name, auto&& work) {
    hypermon_start_timer(name);
    work();
    hypermon_stop_timer(name);
  };
  for (int step = 0; step < 10; ++step) {
    bracketed("outer", [&] {
      for (std::int64_t inner = own.below(4); inner > 0; --inner)
        bracketed("inner", [&] {
          if (own.one_in(2)) hypermon_compute(1, static_cast<double>(own.below(50'000)));
        });
      if (own.one_in(3)) hypermon_dump_profile();
      if (own.one_in(3)) hypermon_event(1);
      if (own.one_in(4)) (void)MPI_Wtime();
      const auto bytes = static_cast<int>(shared.pick({0, 1, 100, 101, 3000}));
      if (ranks == 1) return;
      MPI_Request request{};
      MPI_Irecv(in, 3000, MPI_CHAR, (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, &request);
      MPI_Send(out, bytes, MPI_CHAR, (rank + 1) % ranks, 7, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    if (shared.one_in(3)) MPI_Barrier(MPI_COMM_WORLD);
  }
}

enum class Kind { alone, interrupted, smpi };

/// All dates, then for each rank its end and its computing time.
std::vector<double> run(std::uint64_t seed, Kind kind, bool at_once) {
  const auto child = in_child([=] {
    Random r(seed);
    const int nodes = kind == Kind::alone ? 1 : most_nodes;
    Spec spec = plain_machine(nodes);
    spec.get<MachineParams>().messages = kind == Kind::smpi ? hypermon::Messages::smpi : hypermon::Messages::nx2;
    spec.get<NodeParams>().clock_drift_ppm = static_cast<double>(r.below(200));
    const std::int64_t together = kind == Kind::smpi ? r.pick({1, 2}) : 1; // ranks on a node, each on its own processor
    spec.get<CpuParams>().processors = together;
    spec.get<CpuParams>().ranks_per_node = together;
    spec.get<CpuParams>().policy = r.pick({CpuPolicy::kernel_first, CpuPolicy::time_slices, CpuPolicy::fair_shares});
    spec.get<CpuParams>().quantum_ms = 0.01;
    if (kind == Kind::interrupted) spec.get<NodeParams>().tick_ms = 0.1;
    RecordingMonitor monitor(kind == Kind::interrupted ? 17_us : 0_us);
    Charging charging(at_once, seed);
    charging.keeps_inner = kind == Kind::alone;
    std::unique_ptr<ProgramCounters> counters;
    const auto ranks = run_program(
        spec, monitor, [=](int rank) { random_program(rank, nodes * static_cast<int>(together), seed); },
        [&](Machine&) {
          mpi_layer().observers.add(charging);
          counters = std::make_unique<ProgramCounters>(operating_system(), CountersParams{});
          set_program_counters(counters.get());
        });
    set_program_counters(nullptr);
    std::vector<double> values = charging.all();
    for (const RankResult& rank : ranks) {
      values.push_back(static_cast<double>(rank.end.ps()));
      values.push_back(static_cast<double>(rank.compute_time.ps()));
    }
    return values;
  });
  REQUIRE(child.status == 0);
  return child.values;
}

/// Largest difference between owed time and time charged at once, in picoseconds, in many cases.
double farthest(Kind kind, std::size_t least_dates) {
  double most = 0;
  const auto cases = testing::cases_wanted(6) * 10;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    const auto owed = run(seed, kind, false);
    const auto at_once = run(seed, kind, true);
    REQUIRE(owed.size() == at_once.size());
    REQUIRE(owed.size() >= least_dates);
    for (std::size_t i = 0; i < owed.size(); ++i) most = std::max(most, std::abs(owed[i] - at_once[i]));
  }
  return most;
}

} // namespace

TEST_CASE("what a rank owes changes none of its dates where nothing interrupts it, to the picosecond") {
  CHECK(farthest(Kind::alone, 40) == 0);
}

TEST_CASE("interrupts of a rank that owes change none of the dates that others see, to the picosecond") {
  CHECK(farthest(Kind::interrupted, 12) == 0);
}

TEST_CASE("among SMPI's messages dates are the same within a nanosecond an action") {
  constexpr double actions = 2 * 10 * 12; // largest number of a rank's charges in a step; other ranks may wait for it
  CHECK(farthest(Kind::smpi, 12) <= actions * 1000);
}

TEST_CASE("a dump point before MPI_Init or after MPI_Finalize ends the run, and says where it was") {
  for (const bool before : {true, false}) {
    const auto child = in_child([before]() -> std::vector<double> {
      NoMonitor monitor;
      std::unique_ptr<ProgramCounters> counters;
      run_program(
          plain_machine(1), monitor,
          [before](int) {
            RankState& self = rank_table().self();
            (before ? self.lifetime.is_initialized : self.lifetime.is_finalized) = !before;
            hypermon_dump_profile();
          },
          [&](Machine&) {
            counters = std::make_unique<ProgramCounters>(operating_system(), CountersParams{});
            set_program_counters(counters.get());
          });
      return {};
    });
    CHECK(child.status == 3);
    CHECK(child.errors.find(std::string("rank 0 called hypermon_profile_dump() ") +
                            (before ? "before MPI_Init" : "after MPI_Finalize")) != std::string::npos);
  }
}
