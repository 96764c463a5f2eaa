// SPDX-License-Identifier: BSD-3-Clause
// Writes text files completely or throws an error that names them, so that a full disk is noticed.
#pragma once
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace hypermon {

/// Throws std::runtime_error with the file's name and the system's error message if something could not be written.
inline void require_written(const std::ostream& file, const std::filesystem::path& path) {
  if (file) return;
  throw std::runtime_error(path.string() + ": cannot be written" +
                           (errno != 0 ? std::string(": ") + std::strerror(errno) : std::string()));
}

/// Writes a file with `write(stream)`. Throws std::runtime_error if it cannot be written.
template <class Write> void write_text(const std::filesystem::path& path, Write&& write) {
  std::ofstream file(path);
  errno = 0;
  write(file);
  file.flush();
  require_written(file, path);
}

/// A text file that grows during a run, under a temporary name until close() renames it to `path`. Without close() no
/// file remains. Throws std::runtime_error if it cannot be written.
class GrowingText {
public:
  explicit GrowingText(std::filesystem::path path) : path_(std::move(path)), part_(path_.string() + ".part") {
    errno = 0;
    file_.open(part_);
    require_written(file_, path_);
  }
  ~GrowingText() {
    if (!file_.is_open()) return;
    file_.close();
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
  }
  GrowingText(const GrowingText&) = delete;
  GrowingText& operator=(const GrowingText&) = delete;

  template <class... Parts> void add(const Parts&... parts) {
    errno = 0;
    (file_ << ... << parts);
    require_written(file_, path_);
  }
  void close() {
    errno = 0;
    file_.flush();
    require_written(file_, path_);
    file_.close();
    std::filesystem::rename(part_, path_);
  }

private:
  std::filesystem::path path_;
  std::filesystem::path part_;
  std::ofstream file_;
};

} // namespace hypermon
