// SPDX-License-Identifier: BSD-3-Clause
// Noncontig: the blocks of a file alternate between the ranks (as in ROMIO's benchmark of that name). Each rank has a
// view of its own blocks, and writes them with one call or several. With collective calls all ranks together write the
// whole file; with independent calls, each rank's blocks are pieces far from each other.
//
// The byte at offset o of the file is o % 251. There is no answer file. Exit status 1: the data read differ from the
// data written.
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/hints.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/noncontig/params.hpp"
#include <climits>
#include <memory>
#include <vector>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

constexpr std::int64_t pattern = 251;

/// A rank's data in one call: its blocks in order.
class Buffer {
public:
  Buffer(const NoncontigParams& p, Ranks ranks)
      : p_(p), ranks_(ranks), bytes_(std::make_unique_for_overwrite<unsigned char[]>(size())) {}

  unsigned char* data() { return bytes_.get(); }
  void fill(std::int64_t call) {
    each(call, [this](std::size_t i, unsigned char expected) { bytes_[i] = expected; });
  }
  bool is_of(std::int64_t call) {
    bool equal = true;
    each(call, [&](std::size_t i, unsigned char expected) { equal = equal && bytes_[i] == expected; });
    return equal;
  }

private:
  std::size_t size() const { return static_cast<std::size_t>(p_.blocks * p_.block_bytes.number); }
  template <class F> void each(std::int64_t call, F&& f) const {
    const auto block = p_.block_bytes.number;
    std::size_t i = 0;
    for (std::int64_t k = 0; k < p_.blocks; ++k) {
      const auto begin = ((call * p_.blocks + k) * ranks_.count + ranks_.mine) * block;
      for (std::int64_t o = begin; o < begin + block; ++o) f(i++, static_cast<unsigned char>(o % pattern));
    }
  }
  const NoncontigParams& p_;
  Ranks ranks_;
  std::unique_ptr<unsigned char[]> bytes_;
};

int run(const Arguments<NoncontigParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  MPI_Info hints = MPI_INFO_NULL;
  if (!parse_hints(p.hints, hints)) return refuse(ranks, "--hints=" + p.hints + ": must be words NAME=VALUE");
  if (p.blocks * p.block_bytes.number > INT_MAX)
    return refuse(ranks, "--blocks=" + std::to_string(p.blocks) + ": more than 2 GiB of a rank in a call");
  if (p.access == FileAccess::none) {
    MPI_Info_free(&hints);
    return 0;
  }
  const bool together = p.access == FileAccess::collective;
  const auto block = static_cast<int>(p.block_bytes.number);
  MPI_Datatype one = MPI_DATATYPE_NULL;
  MPI_Datatype own = MPI_DATATYPE_NULL; // a block, then a gap for the other ranks' blocks
  MPI_Type_contiguous(block, MPI_BYTE, &one);
  MPI_Type_create_resized(one, 0, static_cast<MPI_Aint>(block) * ranks.count, &own);
  MPI_Type_commit(&own);
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, "noncontig.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file);
  MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
  MPI_File_set_view(file, static_cast<MPI_Offset>(block) * ranks.mine, MPI_BYTE, own, "native", MPI_INFO_NULL);

  Buffer buffer(p, ranks);
  const int bytes = static_cast<int>(p.blocks) * block;
  for (std::int64_t call = 0; call < p.calls; ++call) {
    if (p.read_back) buffer.fill(call);
    (together ? MPI_File_write_all : MPI_File_write)(file, buffer.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  int wrong = 0;
  if (p.read_back) {
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    for (std::int64_t call = 0; call < p.calls; ++call) {
      (together ? MPI_File_read_all : MPI_File_read)(file, buffer.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
      if (!buffer.is_of(call)) wrong = 1;
    }
  }
  MPI_File_close(&file);
  MPI_Type_free(&own);
  MPI_Type_free(&one);
  MPI_Info_free(&hints);
  if (wrong != 0) std::fprintf(stderr, "noncontig: rank %d reads other bytes than it wrote\n", ranks.mine);
  return wrong;
}
} // namespace

int main(int argc, char** argv) { return run_program<NoncontigParams>(argc, argv, run); }
