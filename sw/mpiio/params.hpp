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

constexpr auto fields_of(const MpiioParams*) {
  using P = MpiioParams;
  return fields(
      Field{
          "file_system", &P::file_system,
          "Who carries MPI_File_*. smpi: SMPI, on the disks of an XML file, without data. ideal: files that take no "
          "time, on every machine. pvfs: the machine's parallel file system (section pfs). nfs: its shared file system "
          "(section nfs).",
          "chosen"},
      Field{
          "contents", &P::contents,
          "kept: what is written is read back. sizes: files are as long as they are, all their bytes are zero; what a "
          "program writes is never looked at.",
          "chosen"},
      Field{"noncontiguous", &P::noncontiguous,
            "How one rank's access to what is not contiguous in its memory or in the file goes, unless a hint says "
            "otherwise. lists: requests of at most pfs.regions_per_request pieces; pieces: one request a piece; "
            "datatype: "
            "the datatype in one request; sieving: what lies between is read and written, too.",
            "facts (hdtrace): PVFS2's lists of 64 pieces"},
      Field{"locks", &P::locks, any_value(), "",
            "Does the file system lock regions, so that data sieving may write? Otherwise it writes by lists.",
            "facts (hdtrace): PVFS has none"},
      Field{
          "agreement", &P::agreement,
          "How the ranks of a collective call of MPI-IO agree. at_once: when the last one has called; messages: by an "
          "MPI_Allreduce before that, and in two-phase accesses an MPI_Alltoall a round, as ROMIO's.",
          "facts (piosim_rules): virtual synchronisation; ROMIO"},
      Field{
          "two_phase_data", &P::two_phase_data,
          "Messages of data between the ranks of a two-phase access with machine.messages = packets. plain: each goes "
          "at once, however long, without a header. mpi: as the program's messages, announced above "
          "packet_messages.eager_limit_bytes, as ROMIO's.",
          "facts (piosim_rules): one message each; ROMIO: MPI_Isend"},
      Field{
          "two_phase_reads", &P::two_phase_reads,
          "Regions of two-phase writes that an aggregator reads before it writes them. holes: those with holes, before "
          "the ranks' data come, as ROMIO's. always: all, when the data have come, as PIOsimHD's. Hint romio_ds_write "
          "= disable: none.",
          "ROMIO; always: facts (piosim_rules)"},
      Field{"capacity_bytes", &P::capacity_bytes, range(0, 9e18), "Room that ideal files have in all; 0: no limit.",
            "chosen"},
      Field{"files", &P::files, folder(), "",
            "Files that exist before the program begins: all files of this folder, named by their paths within it.",
            "chosen: none"},
      Field{"sizes", &P::sizes, any_value(), "",
            "Files of zeros that exist before the program begins, as NAME=BYTES, several with blanks between them.",
            "chosen: none"},
      Field{"keep", &P::keep, any_value(), "",
            "Leaves the files at the end in the run's directory, in files/. Files that a program wrote in its working "
            "folder are always left there.",
            "chosen"});
}
static_assert(all_members_described<MpiioParams>());

} // namespace hypermon
