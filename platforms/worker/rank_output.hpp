// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of the program write to standard output and standard error: <directory>/stdout/rank3.txt and
// <directory>/stderr/rank3.txt, which are there only if something was written.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

class RankOutput {
public:
  enum Stream { out = 0, error = 1 };

  void open(const std::string& directory) { directory_ = directory; }
  void write(int rank, Stream stream, std::string_view text);
  /// From now on nothing waits: of a process that may become another program at any time.
  void write_at_once() { at_once_ = true; }
  /// The rank's file, for a process that writes there by itself; to be closed. Negative: there is none.
  int descriptor(int rank, Stream stream);
  /// What the rank has written so far into its files.
  void flush(int rank);
  /// Everything so far into the files. Also from a signal handler: the process ends then.
  void flush();
  /// Throws std::runtime_error, which names the file and what the system said, if something could not be written.
  void require_written() const;
  /// The last lines of standard error, else of standard output, indented: "\n  its last lines ...". Empty: wrote none.
  std::string last_lines(int rank) const;
  /// The end of what the rank wrote.
  std::string last(int rank, Stream stream) const;

private:
  struct Buffer {
    std::string waiting; // for the file
    std::string last;    // of what is in the file
  };
  void flush(int rank, Stream stream);
  std::string path(int rank, Stream stream) const;

  std::string directory_;
  std::string unwritten_; // the first file that could not be written, and why
  bool at_once_ = false;
  std::vector<std::array<Buffer, 2>> buffers_; // no file is kept open: there may be thousands of ranks
};

RankOutput& rank_output();

} // namespace hypermon
