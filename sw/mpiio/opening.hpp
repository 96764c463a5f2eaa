// SPDX-License-Identifier: BSD-3-Clause
// An open file: the state that its ranks share, and the state of each rank.
#pragma once
#include "sw/mpiio/core/hints.hpp"
#include "sw/mpiio/core/two_phase.hpp"
#include "sw/mpiio/shared_file.hpp"

#include <simgrid/s4u/Semaphore.hpp>
#include <smpi/smpi.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::mpiio {

/// A rank's arguments in a collective call.
struct CallArguments {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::optional<Access> access{};
};

/// A collective call: the ranks that have arrived, and the decision of the last one.
struct Meeting {
  std::vector<CallArguments> arguments; // by rank
  std::size_t arrived = 0;
  std::vector<simgrid::s4u::SemaphorePtr> waiting;
  int code = MPI_SUCCESS;
  std::vector<std::int64_t> numbers; // decided for each rank
  std::unique_ptr<TwoPhase> two_phase;
};

/// State that the ranks of an opening share.
struct Opening {
  std::uint32_t number = 0; // from 1 on
  std::vector<int> members; // numbers of RankTable
  std::shared_ptr<SharedFile> file;
  int amode = 0;
  bool is_atomic = false;
  std::int64_t shared_position = 0; // in etypes
  std::map<std::uint64_t, std::shared_ptr<Meeting>> meetings;
};

/// State of one rank; MPI_File points to it.
struct Handle {
  std::shared_ptr<Opening> opening;
  std::size_t index = 0; // index of the rank among the members
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm exchange = MPI_COMM_NULL; // the library's own, made for its first messages
  std::uint64_t meetings = 0;
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  Hints hints{};
  std::vector<std::string> ignored_hints{};
  // The view, and the rank's position in it in etypes.
  std::int64_t displacement = 0;
  LayoutPointer etype = Layout::bytes(1);
  MPI_Datatype mpi_etype = MPI_BYTE;
  MPI_Datatype mpi_filetype = MPI_BYTE;
  std::string datarep = "native";
  Stream view{};
  std::int64_t position = 0;
  // A split collective access: its name while it is active, and the result for its end call.
  const char* begun = nullptr;
  int begun_code = MPI_SUCCESS;
  std::int64_t begun_bytes = 0;

  SharedFile& file() const { return *opening->file; }
  bool has(int mode) const { return (opening->amode & mode) != 0; }
  /// Number of etypes in the view from its begin to the end of the file.
  std::int64_t end() const {
    return view.element()->size() == 0 ? 0 : (view.below(file().contents.size()) + etype->size() - 1) / etype->size();
  }
};

} // namespace hypermon::mpiio
