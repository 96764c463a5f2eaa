// SPDX-License-Identifier: BSD-3-Clause
// One access of a process: data in its memory and their positions in the file.
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
  char* memory = nullptr; ///< begin of the memory's elements
  Stream in_memory{};
  Stream in_file{};
  std::int64_t first = 0; ///< first byte, counted in the data of the view
  std::int64_t bytes = 0; ///< length of the data

  Run file_run(std::int64_t from, std::int64_t to) const { return next_run(in_file, first + from, first + to); }
  Run memory_run(std::int64_t from, std::int64_t to) const { return next_run(in_memory, from, to); }
  /// True if the data are contiguous in memory (or, below, in the file).
  bool is_contiguous_in_memory() const { return memory_run(0, bytes).bytes == bytes; }
  bool is_contiguous_in_file() const { return file_run(0, bytes).bytes == bytes; }
  /// Position of its first byte in the file, and the position after its last one. Call these only for an ascending
  /// access with data.
  std::int64_t file_begin() const { return in_file.at(first).offset; }
  std::int64_t file_end() const { return in_file.at(first + bytes - 1).offset + 1; }
  /// The range of its data that lies in [begin, end) of the file. Call this only for an ascending access.
  DataRange within(std::int64_t begin, std::int64_t end) const;
  /// Number of its bytes, from the first one on, that a file of that size contains.
  std::int64_t available(std::int64_t size) const;

  // Write or read a part of the data.
  void write(FileContents& file, DataRange part) const;
  void read(FileContents& file, DataRange part) const;
  void pack(DataRange part, char* packed) const;
  void unpack(DataRange part, const char* packed) const;
  void write_packed(FileContents& file, DataRange part, const char* packed) const;
  void read_packed(FileContents& file, DataRange part, char* packed) const;
};

} // namespace hypermon::mpiio
