// SPDX-License-Identifier: BSD-3-Clause
// What a run's result says of MPI-IO.
#pragma once
#include "base/results.hpp"
#include "base/time.hpp"
#include "sw/instrumentation/mpi_functions.hpp"
#include "sw/mpiio/core/requests.hpp"
#include "sw/mpiio/shared_file.hpp"

#include <array>
#include <string>
#include <vector>

namespace hypermon::mpiio {

class FileReport {
public:
  struct Calls {
    std::int64_t calls = 0;
    std::int64_t bytes = 0;
    Time time;
    Time longest;
    Time shortest = Time::never();
  };

  void call(MpiFunction function, std::int64_t bytes, Time took);
  /// The calling rank's call in progress moves so many.
  void moves(std::size_t rank, std::int64_t bytes);
  std::int64_t moved(std::size_t rank);
  void ignored(const std::string& hint);
  /// A file that only MPI-IO knows.
  void only_of_mpi(const std::string& name);
  void write(Results& results, const Files& files) const;

  // Requests of the file system's clients, by what they are for.
  std::array<std::int64_t, 5> requests{}; // of one rank's accesses, by Strategy
  std::int64_t sieved_reads = 0;          // before their writes
  std::int64_t collective_requests = 0;
  std::int64_t collective_reads_before = 0;
  // Two-phase accesses.
  std::int64_t two_phase_calls = 0;
  std::int64_t two_phase_rounds = 0;
  std::int64_t exchanged_messages = 0;
  std::int64_t exchanged_bytes = 0;

private:
  std::array<Calls, mpi_function_names.size()> by_function_;
  std::vector<std::int64_t> moved_; // by rank
  std::vector<std::string> ignored_;
  std::vector<std::string> only_of_mpi_;
};

} // namespace hypermon::mpiio
