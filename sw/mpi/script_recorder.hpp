// SPDX-License-Identifier: BSD-3-Clause
// Records the program's actions as the columns of a program script (sw/workloads/common/script.hpp).
// hypermon.importing.recorded makes the script file from them.
#pragma once
#include "base/npy_file.hpp"
#include "sw/mpi/observer.hpp"
#include "sw/workloads/common/script.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

template <> inline constexpr const char* npy_type<Action> = Action::type;

/// How a script represents calls of a function.
struct ScriptUse {
  bool writes;        ///< the calls become actions
  const char* says;   ///< text for people: "yes", "no", "as MPI_Send"; "" if a replay does not need the call
  bool lossy = false; ///< the call loses information, which the script's report mentions
};
ScriptUse script_use(MpiFunction function);

/// Writes to `directory`: actions.npy, in blocks of one rank each; blocks.npy, pairs of rank and number of actions;
/// lists.npy; operations.txt; lost.tsv, the calls that a script cannot represent, with kind, count and first place.
class ScriptRecorder : public MpiObserver {
public:
  ScriptRecorder(std::filesystem::path directory, int ranks);
  void enter(const RankState&, const MpiCall&) override {}
  void leave(const RankState& rank, const MpiCall& call) override;
  void compute(const RankState& rank, Time nominal) override;
  void event(const RankState& rank, unsigned char value) override;
  void emit(const RankState& rank, const std::array<std::uint32_t, 4>& kind_and_data) override;
  void close();

private:
  struct Rank {
    std::vector<Action> block;
    std::int64_t calls = 0;
    std::map<MPI_Request, std::int32_t> requests; // open requests; unrecorded ones are recorded as blocking calls
    std::map<MPI_Request, Action> persistent;
    std::vector<std::int32_t> free_requests;
    std::int32_t next_request = 0;
    std::map<MPI_Comm, std::uint16_t> comms; // made by the program
    std::vector<std::uint16_t> free_comms;
    std::uint16_t next_comm = 1;
    std::map<std::uint32_t, std::int32_t> files; // open files, by FileCall::handle
    std::vector<std::int32_t> free_files;
    std::int32_t next_file = 0;
  };
  class Call;

  Rank& entry(const RankState& rank);
  void add(const RankState& rank, const Action& action);
  void flush(std::size_t rank);
  std::int64_t add_list(const std::vector<std::int64_t>& values);
  /// Equal lists share one entry, because names and datatypes are used repeatedly.
  std::int64_t shared_list(const std::vector<std::int64_t>& values);

  std::filesystem::path directory_;
  std::vector<Rank> ranks_;
  NpyFile<Action> actions_;
  NpyFile<std::int64_t> blocks_;
  NpyFile<std::int64_t> lists_;
  std::map<std::vector<std::int64_t>, std::int64_t> shared_lists_; // positions of the lists
  std::vector<std::string> lost_kinds_;                            // in the order of their first occurrence
  std::map<std::string, std::pair<std::int64_t, std::string>> lost_;
};

} // namespace hypermon
