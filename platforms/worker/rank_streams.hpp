// SPDX-License-Identifier: BSD-3-Clause
// Replaced standard streams of ranks: freopen replaces one by a file, and rank 0 reads program.input. All ranks share
// the C library's stdin, stdout and stderr, which are not changed.
#pragma once
#include <array>
#include <cstdio>
#include <vector>

namespace hypermon {

class RankStreams {
public:
  /// Sets rank 0's standard input; on failure returns false and sets errno.
  bool open_input(const char* path);
  /// The calling rank's replacement of a standard stream, or else the stream itself.
  std::FILE* replacement(std::FILE* stream);
  /// The calling rank's replacement of descriptor 0, 1 or 2, or else the descriptor itself.
  int replacement(int descriptor);
  /// freopen and fclose of a standard stream, called by a rank.
  std::FILE* reopen(const char* path, const char* mode, std::FILE* stream);
  int close(std::FILE* stream);

private:
  std::FILE** place(std::FILE* stream);
  std::vector<std::array<std::FILE*, 3>> files_; // null: not replaced
  bool any_ = false;
};

RankStreams& rank_streams();

} // namespace hypermon
