// SPDX-License-Identifier: BSD-3-Clause
// Parameters of MPI-IO.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class FilesOf : std::uint8_t { smpi, ideal, pvfs, nfs };
constexpr auto words_of(FilesOf) { return words("smpi", "ideal", "pvfs", "nfs"); }

enum class FileBytes : std::uint8_t { kept, sizes };
constexpr auto words_of(FileBytes) { return words("kept", "sizes"); }

enum class Noncontiguous : std::uint8_t { lists, pieces, datatype, sieving };
constexpr auto words_of(Noncontiguous) { return words("lists", "pieces", "datatype", "sieving"); }

enum class Agreement : std::uint8_t { at_once, messages };
constexpr auto words_of(Agreement) { return words("at_once", "messages"); }

/// How the data of two-phase accesses go between ranks.
enum class TwoPhaseData : std::uint8_t { plain, mpi };
constexpr auto words_of(TwoPhaseData) { return words("plain", "mpi"); }

/// Which regions an aggregator reads before it writes them.
enum class ReadsBefore : std::uint8_t { holes, always };
constexpr auto words_of(ReadsBefore) { return words("holes", "always"); }

struct MpiioParams {
  FilesOf file_system = FilesOf::smpi;
  FileBytes contents = FileBytes::kept;
  Noncontiguous noncontiguous = Noncontiguous::lists;
  bool locks = false;
  Agreement agreement = Agreement::at_once;
  TwoPhaseData two_phase_data = TwoPhaseData::plain;
  ReadsBefore two_phase_reads = ReadsBefore::holes;
  Bytes capacity_bytes = 0;
  std::string files = "";
  std::string sizes = "";
  bool keep = false;
};

} // namespace hypermon
