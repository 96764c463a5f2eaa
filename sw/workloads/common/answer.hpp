// SPDX-License-Identifier: BSD-3-Clause
// Answer files. Arrays are NumPy's .npy format, version 1.0 (`numpy.load` reads them).
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace hypermon::workloads {

inline constexpr int cannot_write = 3; // exit code

namespace detail {
struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
} // namespace detail
using File = std::unique_ptr<std::FILE, detail::CloseFile>;

inline File open_answer(const std::string& path) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) std::perror(path.c_str());
  return file;
}

/// A rows x columns array in C order; `type` is NumPy's, such as "<f8". False if it cannot be written.
inline bool write_npy(const std::string& path, const char* type, std::size_t item_bytes, const void* data,
                      std::int64_t rows, std::int64_t columns) {
  const File file = open_answer(path);
  if (!file) return false;
  std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows) + ", " + std::to_string(columns) + "), }";
  header.resize(117, ' '); // with the 10 bytes before and the newline it has 128 bytes, the format's alignment
  header += '\n';
  const unsigned char start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
  const auto items = static_cast<std::size_t>(rows * columns);
  return std::fwrite(start, 1, sizeof start, file.get()) == sizeof start &&
         std::fwrite(header.data(), 1, header.size(), file.get()) == header.size() &&
         std::fwrite(data, item_bytes, items, file.get()) == items;
}

} // namespace hypermon::workloads
