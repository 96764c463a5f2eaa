// SPDX-License-Identifier: BSD-3-Clause
// Parameters of MPI-IO.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

/// Kind of the messages that carry the data of two-phase accesses between ranks.
enum class TwoPhaseData : std::uint8_t { plain, mpi };
constexpr auto words_of(TwoPhaseData) { return words("plain", "mpi"); }

/// Regions that an aggregator reads before it writes them.
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

constexpr auto fields_of(const MpiioParams*) {
  using P = MpiioParams;
  return fields(
      Field{
          "file_system", &P::file_system,
          "File system behind MPI_File_* calls. smpi: SMPI's, on the disks of an XML file, without data. ideal: files "
          "that take no time. pvfs: the parallel file system (section pfs). nfs: the shared file system (section nfs).",
          "chosen"},
      Field{"contents", &P::contents,
            "Contents of files. kept: reads return the written bytes. sizes: only sizes are kept; all bytes read are "
            "zero.",
            "chosen"},
      Field{"noncontiguous", &P::noncontiguous,
            "Handling of noncontiguous accesses of one rank, unless a hint overrides it. lists: requests of at most "
            "pfs.regions_per_request pieces. pieces: one request per piece. datatype: one request with the datatype. "
            "sieving: gaps are read and written too.",
            "facts (hdtrace): PVFS2's lists of 64 pieces"},
      Field{"locks", &P::locks, any_value(), "",
            "Let the file system lock regions, so that data sieving may write. Otherwise noncontiguous data are "
            "written as lists.",
            "facts (hdtrace): PVFS has none"},
      Field{
          "agreement", &P::agreement,
          "Synchronisation of the ranks in a collective MPI-IO call. at_once: all go on when the last one has called. "
          "messages: through an MPI_Allreduce, and one MPI_Alltoall per round of two-phase accesses, as in ROMIO.",
          "facts (piosim_rules): virtual synchronisation; ROMIO"},
      Field{"two_phase_data", &P::two_phase_data,
            "Data messages between ranks in two-phase accesses with machine.messages = packets. plain: sent at once, "
            "whatever their size, without a header. mpi: as the program's messages, announced above "
            "packet_messages.eager_limit_bytes, as in ROMIO.",
            "facts (piosim_rules): one message each; ROMIO: MPI_Isend"},
      Field{"two_phase_reads", &P::two_phase_reads,
            "Regions of two-phase writes that an aggregator reads first. holes: regions with holes, before the ranks' "
            "data arrive, as in ROMIO. always: all regions, after the data have arrived, as in PIOsimHD. With the hint "
            "romio_ds_write = disable it reads none.",
            "ROMIO; always: facts (piosim_rules)"},
      Field{"capacity_bytes", &P::capacity_bytes, range(0, 9e18),
            "Total capacity of the ideal file system. 0: no limit.", "chosen"},
      Field{
          "files", &P::files, folder(), "",
          "Folder whose files exist in the file system before the program begins, named by their paths in the folder.",
          "chosen: none"},
      Field{"sizes", &P::sizes, any_value(), "",
            "Files of zeros that exist before the program begins, as NAME=BYTES, separated by blanks.", "chosen: none"},
      Field{"keep", &P::keep, any_value(), "",
            "Keep files in files/ of the run directory after the run. Files that a program writes in its working "
            "folder are always kept.",
            "chosen"});
}
static_assert(all_members_described<MpiioParams>());

} // namespace hypermon
