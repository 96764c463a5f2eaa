// SPDX-License-Identifier: BSD-3-Clause
// The standard streams of a rank that are not what they were at first: freopen puts a file of its own in the place of
// one, and rank 0 reads program.input. All ranks share the C library's stdin, stdout and stderr, which stay as they
// are.
#pragma once
#include <array>
#include <cstdio>
#include <vector>

namespace hypermon {

class RankStreams {
public:
  /// Rank 0's standard input from now on; false: errno says why it cannot be read.
  bool open_input(const char* path);
  /// The file in the place of a standard stream for the rank that calls; else the same one.
  std::FILE* of(std::FILE* stream);
  /// The same for descriptors 0, 1, 2.
  int of(int descriptor);
  /// freopen and fclose of a standard stream, by a rank.
  std::FILE* reopen(const char* path, const char* mode, std::FILE* stream);
  int close(std::FILE* stream);

private:
  std::FILE** place(std::FILE* stream);
  std::vector<std::array<std::FILE*, 3>> files_; // null: none
  bool any_ = false;
};

RankStreams& rank_streams();

} // namespace hypermon
