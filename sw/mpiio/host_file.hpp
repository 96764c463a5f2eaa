// SPDX-License-Identifier: BSD-3-Clause
// A file in the program's working folder: MPI-IO, open, stat and Fortran's OPEN access the same bytes.
#pragma once
#include "sw/mpiio/core/contents.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace hypermon::mpiio {

class HostFile : public FileContents {
public:
  /// Identity of the file and time of its last change; all 0 if there is no file.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::int64_t bytes = 0;
    std::int64_t changed_ns = 0;
    auto operator<=>(const Stamp&) const = default;
  };

  explicit HostFile(std::filesystem::path path) : FileContents(true), path_(std::move(path)) {}
  ~HostFile() override { close(); }

  /// Opens the file, and creates it if there is none. A second call has no effect except that it can add write access.
  /// Returns the host's errno. `writes`: the file must be writable.
  int open(bool writes);
  void close();
  /// True if the path still leads to the opened file.
  bool is_there() const;
  Stamp stamp() const;

  /// Size of the open file, or of the file at the path if none is open.
  std::int64_t size() const override;
  void begin_pieces() override { window_ = Window(); }
  void end_pieces() override;
  void resize(std::int64_t bytes) override;
  void write(std::int64_t offset, const char* data, std::int64_t bytes) override;
  void read(std::int64_t offset, char* data, std::int64_t bytes) const override;

private:
  /// A cached part of the file while a sequence of pieces is written or read: one host call serves many pieces.
  struct Window {
    std::int64_t begin = -1; ///< position in the file; -1: none
    std::int64_t written_begin = 0;
    std::int64_t written_end = 0; ///< the bytes from written_begin to here must be written
  };
  /// Moves the window to the piece if it is small and a sequence of pieces is under way; returns whether it did.
  bool show(std::int64_t offset, std::int64_t bytes) const;
  void write_through(std::int64_t offset, const char* data, std::int64_t bytes) const;
  void read_through(std::int64_t offset, char* data, std::int64_t bytes) const;
  void flush() const;
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool is_writable_ = false;
  std::uint64_t device_ = 0;
  std::uint64_t number_ = 0;
  mutable std::optional<Window> window_; // the window of the file that is in memory; only during a sequence of pieces
  mutable std::vector<char> shown_;
};

} // namespace hypermon::mpiio
