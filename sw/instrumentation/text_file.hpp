// Files of text that are there whole, or an error names them: a full disk is noticed.
#pragma once
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace hypermon {

/// Writes a file with `write(stream)`. Throws std::runtime_error if it cannot be written.
template <class Write> void write_text(const std::filesystem::path& path, Write&& write) {
  std::ofstream file(path);
  errno = 0;
  write(file);
  if (!file.flush())
    throw std::runtime_error(path.string() + ": cannot be written" +
                             (errno != 0 ? std::string(": ") + std::strerror(errno) : std::string()));
}

} // namespace hypermon
