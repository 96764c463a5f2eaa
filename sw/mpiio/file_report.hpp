// SPDX-License-Identifier: BSD-3-Clause
// Results of a run about MPI-IO.
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
  /// The current call of the rank moves that many bytes.
  void moves(std::size_t rank, std::int64_t bytes);
  std::int64_t moved(std::size_t rank);
  void ignored(const std::string& hint);
  /// Names a file that exists in MPI-IO only, not in the program's folder.
  void only_of_mpi(const std::string& name);
  void write(Results& results, const Files& files) const;

  // Numbers of requests to the file system, by purpose.
  std::array<std::int64_t, 5> requests{}; // number of requests of independent accesses, by Strategy
  std::int64_t sieved_reads = 0;          // reads that precede writes
  std::int64_t collective_requests = 0;
  std::int64_t collective_reads_before = 0;
  // Counts of two-phase accesses.
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
