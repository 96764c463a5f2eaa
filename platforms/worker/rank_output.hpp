// SPDX-License-Identifier: BSD-3-Clause
// Standard output and standard error of the program's ranks, in <directory>/stdout/rank3.txt and
// <directory>/stderr/rank3.txt. A file exists only if something was written.
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
  /// Writes without buffering from now on, for a process that may call exec at any time.
  void write_at_once() { at_once_ = true; }
  /// Opens the rank's file for a process that writes to it directly; the caller closes it. Negative on failure.
  int descriptor(int rank, Stream stream);
  /// Writes the rank's buffered output to its files.
  void flush(int rank);
  /// Writes all buffered output to the files. May be called from a signal handler if the process ends then.
  void flush();
  /// Throws std::runtime_error with the file's name and the system's error message if something could not be written.
  void require_written() const;
  /// The last lines of standard error, or of standard output if that is empty, indented: "\n  its last lines ...".
  /// Empty if the rank wrote nothing.
  std::string last_lines(int rank) const;
  /// End of the rank's output.
  std::string last(int rank, Stream stream) const;

private:
  struct Buffer {
    std::string waiting; // text that is not yet in the file
    std::string last;    // last part of the file's content
  };
  void flush(int rank, Stream stream);
  std::string path(int rank, Stream stream) const;

  std::string directory_;
  std::string unwritten_; // the first file that could not be written, and the reason
  bool at_once_ = false;
  std::vector<std::array<Buffer, 2>> buffers_; // no file stays open, as there may be thousands of ranks
};

RankOutput& rank_output();

} // namespace hypermon
