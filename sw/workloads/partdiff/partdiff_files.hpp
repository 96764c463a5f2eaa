// SPDX-License-Identifier: BSD-3-Clause
// Files that partdiff writes with MPI-IO.
//
// partdiff.0.checkpoint and partdiff.1.checkpoint contain the matrix row by row and are written in turn.
// partdiff.progress has a header in three writes (the number of rows; the number of sweeps between two diagonals;
// interlines, method, source and sweeps, 8 B each), then for each diagonal the number of its sweep, 4 B, and the
// diagonal. The files have no views, because a rank's data are contiguous in the file. In memory, the numbers of the
// diagonal are one more than a row's length apart.
#pragma once
#include "sw/workloads/partdiff/strip.hpp"
#include <array>
#include <mpi.h>

namespace hypermon::workloads {

/// The open files of a run. With `access` none there are no files.
class PartdiffFiles {
public:
  PartdiffFiles(const PartdiffParams& p, const Rows& rows, MPI_Info hints) : p_(p), rows_(rows) {
    const int mine = rows.ranks.mine;
    const auto open = [&](const char* name, MPI_File& file) {
      MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, hints, &file);
      MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    };
    if (p.access == FileAccess::none) return;
    if (p.diagonal_every != 0) open("partdiff.progress", progress_);
    if (p.checkpoint_every != 0) {
      open("partdiff.0.checkpoint", checkpoints_[0]);
      open("partdiff.1.checkpoint", checkpoints_[1]);
    }
    const auto numbers = static_cast<int>(rows.end(mine) - rows.begin(mine));
    MPI_Type_contiguous(static_cast<int>(rows.lines), MPI_DOUBLE, &row_);
    MPI_Type_vector(numbers, 1, static_cast<int>(rows.lines + 1), MPI_DOUBLE, &diagonal_);
    MPI_Type_commit(&row_);
    MPI_Type_commit(&diagonal_);
    if (progress_ != MPI_FILE_NULL && mine == 0) write_header();
  }
  ~PartdiffFiles() {
    for (MPI_File* file : {&progress_, &checkpoints_[0], &checkpoints_[1]})
      if (*file != MPI_FILE_NULL) MPI_File_close(file);
    for (MPI_Datatype* type : {&row_, &diagonal_})
      if (*type != MPI_DATATYPE_NULL) MPI_Type_free(type);
  }
  PartdiffFiles(const PartdiffFiles&) = delete;
  PartdiffFiles& operator=(const PartdiffFiles&) = delete;

  /// Writes the files that are due after sweep `iteration`, from 1 on.
  void write(Strip& strip, std::int64_t iteration) {
    if (progress_ != MPI_FILE_NULL && iteration % p_.diagonal_every == 0) write_progress(strip, iteration);
    if (checkpoints_[0] != MPI_FILE_NULL && iteration % p_.checkpoint_every == 0) {
      const auto turn = static_cast<std::size_t>(iteration / p_.checkpoint_every - 1) % 2;
      write_checkpoint(strip, checkpoints_[turn]);
    }
  }

private:
  static constexpr MPI_Offset number_bytes = sizeof(std::int32_t);
  static constexpr MPI_Offset header_bytes = 40;

  void write_header() {
    const auto lines = static_cast<std::int32_t>(rows_.lines);
    const auto every = static_cast<std::int32_t>(p_.diagonal_every);
    const std::array<std::int64_t, 4> run{p_.interlines, static_cast<std::int64_t>(p_.method),
                                          static_cast<std::int64_t>(p_.source), p_.iterations};
    MPI_File_write_at(progress_, 0, &lines, 1, MPI_INT32_T, MPI_STATUS_IGNORE);
    MPI_File_write_at(progress_, 4, &every, 1, MPI_INT32_T, MPI_STATUS_IGNORE);
    MPI_File_write_at(progress_, 8, run.data(), 4, MPI_INT64_T, MPI_STATUS_IGNORE);
  }
  void write_progress(Strip& strip, std::int64_t iteration) {
    const auto record_bytes = number_bytes + static_cast<MPI_Offset>(sizeof(double)) * rows_.lines;
    const auto record = header_bytes + (iteration / p_.diagonal_every - 1) * record_bytes;
    if (rows_.ranks.mine == 0) {
      const auto number = static_cast<std::int32_t>(iteration);
      MPI_File_write_at(progress_, record, &number, 1, MPI_INT32_T, MPI_STATUS_IGNORE);
    }
    const auto row = rows_.begin(rows_.ranks.mine);
    const auto at = record + number_bytes + static_cast<MPI_Offset>(sizeof(double)) * row;
    write_at(progress_, at, strip.row(row) + row, 1, diagonal_);
  }
  void write_checkpoint(Strip& strip, MPI_File file) {
    const auto begin = rows_.begin(rows_.ranks.mine);
    const auto rows = static_cast<int>(rows_.end(rows_.ranks.mine) - begin);
    write_at(file, static_cast<MPI_Offset>(sizeof(double)) * begin * rows_.lines, strip.row(begin), rows, row_);
  }
  void write_at(MPI_File file, MPI_Offset at, const double* data, int count, MPI_Datatype type) {
    const auto write = p_.access == FileAccess::collective ? MPI_File_write_at_all : MPI_File_write_at;
    write(file, at, data, count, type, MPI_STATUS_IGNORE);
  }

  const PartdiffParams& p_;
  const Rows& rows_;
  MPI_File progress_ = MPI_FILE_NULL;
  std::array<MPI_File, 2> checkpoints_{MPI_FILE_NULL, MPI_FILE_NULL};
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
  MPI_Datatype diagonal_ = MPI_DATATYPE_NULL;
};

} // namespace hypermon::workloads
