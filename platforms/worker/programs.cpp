// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/programs.hpp"
#include "base/run_keys.hpp"
#include "base/user_error.hpp"
#include "hw/machine/neighbour_params.hpp"
#include "hw/machine/platform_file.hpp"
#include "platforms/worker/children.hpp"
#include "platforms/worker/rank_end.hpp"
#include "platforms/worker/rank_exit.hpp"
#include "platforms/worker/rank_loader.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/mpi/worlds.hpp"

#include <simgrid/Exception.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <smpi/smpi.h>

#include <algorithm>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;

RankProgram load(int rank, const std::string& object, std::size_t program) {
  ranks().loading(rank);
  try {
    RankProgram loaded(object, program);
    ranks().loaded(rank, loaded.object());
    return loaded;
  } catch (...) {
    ranks().end(); // the following message is not the rank's output
    throw;
  }
}

/// Runs main() of a rank until it ends, or until a failure ends the simulation.
void run_rank(int rank, const RankProgram& program, const std::vector<std::string>& arguments) {
  try {
    const int status = program.run(arguments);
    end_rank(rank, status == 0 ? "returned" : "returned status " + std::to_string(status), status);
  } catch (const simgrid::ForcefulKillException&) {
    throw; // exit(), or the monitored program of a neighbour has ended
  } catch (const std::exception& e) {
    if (in_child()) std::abort();
    if (const auto fault = platform_fault(e.what())) fail_user(*fault);
    fail_rank(rank, std::string("ended with an uncaught exception: ") + e.what());
  } catch (...) {
    if (in_child()) std::abort();
    fail_rank(rank, "ended with an uncaught exception");
  }
}

} // namespace

void start_program(const StartedProgram& program, const Spec& spec, OperatingSystem& os) {
  const NeighbourParams* neighbour =
      program.number == 0 ? nullptr : &spec.get<NeighbourSection>().instance(program.number - 1);
  const std::string instance = neighbour == nullptr ? "program" : "neighbour" + std::to_string(program.number - 1);
  const Time start = neighbour == nullptr ? Time{} : Time{neighbour->start_s};
  const int size = os.ranks.size_of(program.number);
  SMPI_app_instance_register(instance.c_str(), nullptr, size);
  if (neighbour != nullptr) world_of(program.number) = MPI_COMM_WORLD; // SMPI's placeholder, until MPI_Init
  for (const RankState& rank : os.ranks.all()) {
    if (rank.program != program.number) continue;
    const int r = rank.rank;
    auto actor = sg4::Actor::init("rank" + std::to_string(r), os.ranks.place_of(r));
    actor->set_property("instance_id", instance);
    actor->set_property("rank", std::to_string(r - rank.first));
    if (neighbour != nullptr && neighbour->until == Until::program_end) actor->daemonize();
    const RankProgram loaded = load(r, program.object, program.number);
    set_destructors(r, loaded.destructors());
    actor->start([&os, r, start, arguments = program.arguments, loaded] {
      os.execution.sleep_until(start);
      ranks().begin(r);
      os.execution.register_rank(r);
      run_rank(r, loaded, arguments);
    });
  }
}

ResultRecords report_neighbours(const Spec& spec, const OperatingSystem& os) {
  const auto& keys = run_keys.neighbours;
  ResultRecords list(keys.list);
  for (std::size_t program = 1; program < os.ranks.programs(); ++program) {
    const NeighbourParams& own = spec.get<NeighbourSection>().instance(program - 1);
    std::optional<Time> begin;
    std::optional<Time> end = Time{};
    for (const RankState& rank : os.ranks.all()) {
      if (rank.program != program) continue;
      if (rank.lifetime.is_initialized) begin = begin ? std::min(*begin, rank.section.begin) : rank.section.begin;
      if (!rank.lifetime.is_finalized)
        end.reset();
      else if (end)
        end = std::max(*end, rank.section.end);
    }
    list.add({keys.workload(own.workload), keys.nodes(own.nodes), keys.begin_s(begin), keys.end_s(end),
              keys.elapsed_s(begin && end ? std::optional(*end - *begin) : std::nullopt)});
  }
  return list;
}

} // namespace hypermon
