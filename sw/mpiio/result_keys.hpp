// SPDX-License-Identifier: BSD-3-Clause
// Result keys of MPI-IO.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct MpiioKeys {
  ResultKey<Json> functions{"mpiio.functions", "",
                            "Of MPI-IO that is not SMPI's: by function its calls, their bytes, the seconds in them, "
                            "the longest_s and shortest_s."};
  struct Files {
    ResultList list{"mpiio.files[]"};
    ResultKey<std::string> name{"mpiio.files[].name", "", "Files that there are when the run ends."};
    ResultKey<int> bytes{"mpiio.files[].bytes", "B", "Their sizes."};
    ResultKey<int> opened{"mpiio.files[].opened", "", "How often each was opened."};
    ResultKey<int> read_bytes{"mpiio.files[].read_bytes", "B", "Read from it by programs."};
    ResultKey<int> written_bytes{"mpiio.files[].written_bytes", "B", "Written to it by programs."};
  } files;
  struct Requests {
    ResultKey<int> contiguous{"mpiio.requests.contiguous", "requests",
                              "To the file system, of contiguous accesses of one rank."};
    ResultKey<int> pieces{"mpiio.requests.pieces", "requests", "Of others, piece by piece."};
    ResultKey<int> lists{"mpiio.requests.lists", "requests", "By lists of pieces."};
    ResultKey<int> datatype{"mpiio.requests.datatype", "requests", "With the datatype."};
    ResultKey<int> sieving{"mpiio.requests.sieving", "requests", "With what lies between the pieces."};
    ResultKey<int> sieving_reads_before{"mpiio.requests.sieving_reads_before", "requests",
                                        "Reads of that before it is written."};
    ResultKey<int> two_phase{"mpiio.requests.two_phase", "requests", "Of aggregators."};
    ResultKey<int> two_phase_reads_before{"mpiio.requests.two_phase_reads_before", "rounds",
                                          "Rounds in which an aggregator reads a region before it writes it."};
  } requests;
  struct TwoPhase {
    ResultKey<int> calls{"mpiio.two_phase.calls", "", "Collective accesses by two phases."};
    ResultKey<int> rounds{"mpiio.two_phase.rounds", "rounds", "Theirs."};
    ResultKey<int> messages{"mpiio.two_phase.messages", "messages", "Data that ranks exchanged in them."};
    ResultKey<int> bytes{"mpiio.two_phase.bytes", "B", "Theirs."};
  } two_phase;
  ResultKey<std::vector<std::string>> ignored_hints{
      "mpiio.ignored_hints[]", "", "Hints that are not known, or whose value is none: KEY = VALUE: why."};
};
inline constexpr MpiioKeys mpiio_keys{};

} // namespace hypermon
