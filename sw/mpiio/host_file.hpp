// SPDX-License-Identifier: BSD-3-Clause
// A file of the program's working folder: MPI-IO, open, stat and Fortran's OPEN find the same bytes there.
#pragma once
#include "sw/mpiio/core/contents.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace hypermon::mpiio {

class HostFile : public FileContents {
public:
  /// Which file it is, and when it was written last; all 0 if there is none.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::int64_t bytes = 0;
    std::int64_t changed_ns = 0;
    auto operator<=>(const Stamp&) const = default;
  };

  explicit HostFile(std::filesystem::path path) : FileContents(true), path_(std::move(path)) {}
  ~HostFile() override { close(); }

  /// Makes it if there is none. Again: nothing, or it may be written now. Returns the host's errno. `writes`: it must
  /// be writable.
  int open(bool writes);
  void close();
  /// Does the path lead to the file that was opened?
  bool is_there() const;
  Stamp stamp() const;

  /// Size of the open file, else of the file that the path leads to.
  std::int64_t size() const override;
  void begin_pieces() override { window_ = Window(); }
  void end_pieces() override;
  void resize(std::int64_t bytes) override;
  void write(std::int64_t offset, const char* data, std::int64_t bytes) override;
  void read(std::int64_t offset, char* data, std::int64_t bytes) const override;

private:
  /// A part of the file while pieces in it are written or read: one call of the host's for many of them.
  struct Window {
    std::int64_t begin = -1; ///< in the file; -1: none
    std::int64_t written_begin = 0;
    std::int64_t written_end = 0; ///< what lies between is to be written
  };
  /// Is the piece small, and are pieces under way? Then the window has it.
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
  mutable std::optional<Window> window_; // pieces are under way
  mutable std::vector<char> shown_;
};

} // namespace hypermon::mpiio
