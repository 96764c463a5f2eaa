// SPDX-License-Identifier: BSD-3-Clause
// Result keys of MPI-IO.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct MpiioKeys {
  ResultKey<Json> functions{"mpiio.functions", "",
                            "Calls of hypermon's own MPI-IO by function: calls, bytes, seconds, longest_s and "
                            "shortest_s. Functions that SMPI executes are not listed."};
  struct Files {
    ResultList list{"mpiio.files[]"};
    ResultKey<std::string> name{"mpiio.files[].name", "", "Name of a file that exists when the run ends."};
    ResultKey<int> bytes{"mpiio.files[].bytes", "B", "Size of the file when the run ends."};
    ResultKey<int> opened{"mpiio.files[].opened", "", "Number of times that the file was opened."};
    ResultKey<int> read_bytes{"mpiio.files[].read_bytes", "B", "Bytes that programs read from the file."};
    ResultKey<int> written_bytes{"mpiio.files[].written_bytes", "B", "Bytes that programs wrote to the file."};
  } files;
  struct Requests {
    ResultKey<int> contiguous{"mpiio.requests.contiguous", "requests",
                              "Number of requests to the file system for contiguous accesses of one rank."};
    ResultKey<int> pieces{"mpiio.requests.pieces", "requests",
                          "Number of requests to the file system for single pieces of non-contiguous accesses."};
    ResultKey<int> lists{"mpiio.requests.lists", "requests",
                         "Number of requests to the file system with a list of the access's pieces."};
    ResultKey<int> datatype{"mpiio.requests.datatype", "requests",
                            "Number of requests to the file system with the access's datatype."};
    ResultKey<int> sieving{
        "mpiio.requests.sieving", "requests",
        "Number of data sieving requests to the file system, which also transfer the gaps between pieces."};
    ResultKey<int> sieving_reads_before{"mpiio.requests.sieving_reads_before", "requests",
                                        "Number of reads by data sieving that precede a write of the same region."};
    ResultKey<int> two_phase{"mpiio.requests.two_phase", "requests",
                             "Number of requests that aggregators of two-phase I/O sent to the file system."};
    ResultKey<int> two_phase_reads_before{
        "mpiio.requests.two_phase_reads_before", "rounds",
        "Number of rounds in which an aggregator of two-phase I/O read a region before writing it."};
  } requests;
  struct TwoPhase {
    ResultKey<int> calls{"mpiio.two_phase.calls", "", "Number of collective accesses by two-phase I/O."};
    ResultKey<int> rounds{"mpiio.two_phase.rounds", "rounds",
                          "Number of rounds of all collective accesses by two-phase I/O."};
    ResultKey<int> messages{"mpiio.two_phase.messages", "messages",
                            "Number of messages with data that ranks exchanged in two-phase I/O."};
    ResultKey<int> bytes{"mpiio.two_phase.bytes", "B", "Bytes of data that ranks exchanged in two-phase I/O."};
  } two_phase;
  ResultKey<std::vector<std::string>> ignored_hints{
      "mpiio.ignored_hints[]", "",
      "Hints that MPI-IO ignored because they are unknown or their value is invalid, as KEY = VALUE: reason."};
};
inline constexpr MpiioKeys mpiio_keys{};

} // namespace hypermon
