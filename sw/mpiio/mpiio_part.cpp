// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "sw/mpiio/params.hpp"

namespace hypermon {

Part mpiio_part() {
  return {
      .sections = {section<MpiioParams>("mpiio", "MPI-IO: file system and access methods.")},
      .results = {
          {"mpiio.functions", "",
           "Of MPI-IO that is not SMPI's: by function its calls, their bytes, the seconds in them, the longest_s and "
           "shortest_s.",
           result::object},
          {"mpiio.files[].name", "", "Files that there are when the run ends.", result::text},
          {"mpiio.files[].bytes", "B", "Their sizes."},
          {"mpiio.files[].opened", "", "How often each was opened."},
          {"mpiio.files[].read_bytes", "B", "Read from it by programs."},
          {"mpiio.files[].written_bytes", "B", "Written to it by programs."},
          {"mpiio.requests.contiguous", "requests", "To the file system, of contiguous accesses of one rank."},
          {"mpiio.requests.pieces", "requests", "Of others, piece by piece."},
          {"mpiio.requests.lists", "requests", "By lists of pieces."},
          {"mpiio.requests.datatype", "requests", "With the datatype."},
          {"mpiio.requests.sieving", "requests", "With what lies between the pieces."},
          {"mpiio.requests.sieving_reads_before", "requests", "Reads of that before it is written."},
          {"mpiio.requests.two_phase", "requests", "Of aggregators."},
          {"mpiio.requests.two_phase_reads_before", "rounds",
           "Rounds in which an aggregator reads a region before it writes it."},
          {"mpiio.two_phase.calls", "", "Collective accesses by two phases."},
          {"mpiio.two_phase.rounds", "rounds", "Theirs."},
          {"mpiio.two_phase.messages", "messages", "Data that ranks exchanged in them."},
          {"mpiio.two_phase.bytes", "B", "Theirs."},
          {"mpiio.ignored_hints[]", "", "Hints that are not known, or whose value is none: KEY = VALUE: why.",
           result::text},
      }};
}

} // namespace hypermon
