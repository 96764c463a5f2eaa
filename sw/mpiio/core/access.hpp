// SPDX-License-Identifier: BSD-3-Clause
// One access of a process: data of its memory, and where they are in the file.
#pragma once
#include "sw/mpiio/core/contents.hpp"
#include "sw/mpiio/core/stream.hpp"

#include <optional>
#include <vector>

namespace hypermon::mpiio {

/// Bytes [begin, end) of an access's data.
struct DataRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t bytes() const { return end - begin; }
};

struct Access {
  char* memory = nullptr; ///< where the memory's elements begin
  Stream in_memory{};
  Stream in_file{};
  std::int64_t first = 0; ///< byte of the file's data at which it begins
  std::int64_t bytes = 0; ///< of the data

  Run file_run(std::int64_t from, std::int64_t to) const { return next_run(in_file, first + from, first + to); }
  Run memory_run(std::int64_t from, std::int64_t to) const { return next_run(in_memory, from, to); }
  /// In memory, in the file, of the whole of it.
  bool is_contiguous_in_memory() const { return memory_run(0, bytes).bytes == bytes; }
  bool is_contiguous_in_file() const { return file_run(0, bytes).bytes == bytes; }
  /// Its first byte in the file, and what is behind its last one; only if it is ascending, and has any.
  std::int64_t file_begin() const { return in_file.at(first).offset; }
  std::int64_t file_end() const { return in_file.at(first + bytes - 1).offset + 1; }
  /// Its data that lie in [begin, end) of the file; only if it is ascending.
  DataRange within(std::int64_t begin, std::int64_t end) const;
  /// How much of it a file of that size has, from its first byte on.
  std::int64_t available(std::int64_t size) const;

  // Of a part of the data.
  void write(FileContents& file, DataRange part) const;
  void read(FileContents& file, DataRange part) const;
  void pack(DataRange part, char* packed) const;
  void unpack(DataRange part, const char* packed) const;
  void write_packed(FileContents& file, DataRange part, const char* packed) const;
  void read_packed(FileContents& file, DataRange part, char* packed) const;
};

} // namespace hypermon::mpiio
