// SPDX-License-Identifier: BSD-3-Clause
// A one-dimensional array that is written to a NumPy file (.npy, format version 1.0) while it grows.
#pragma once
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

namespace hypermon {

/// NumPy's name of a structured type; specialised beside the struct.
template <class T> inline constexpr const char* npy_type = nullptr;

/// T: an unsigned or signed integer, or a struct that has an npy_type. Throws std::runtime_error if the file cannot be
/// written.
template <class T> class NpyFile {
public:
  explicit NpyFile(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) { write_header(); }

  void append(std::span<const T> values) {
    file_.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    size_ += values.size();
    if (!file_) [[unlikely]]
      note_error();
  }
  void append(T value) { append({&value, 1}); }
  std::uint64_t size() const { return size_; }
  /// Writes the appended data to the file. The header does not count them before close().
  void flush() {
    file_.flush();
    require_written();
  }
  /// Writes the final size into the header.
  void close() {
    file_.seekp(0);
    if (!file_) note_error();
    write_header();
    file_.close();
    require_written();
  }

private:
  /// Saves the system's error message, which the next system call may replace.
  void note_error() {
    if (why_.empty() && errno != 0) why_ = std::string(": ") + std::strerror(errno);
  }
  void require_written() {
    if (file_) return;
    note_error();
    throw std::runtime_error(path_.string() + ": cannot be written" + why_);
  }
  void write_header() {
    constexpr std::size_t bytes =
        npy_type<T> == nullptr ? 128 : 320; // a multiple of 64; blanks leave room for any size
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>((bytes - 10) & 0xFFU);
    header += static_cast<char>((bytes - 10) >> 8U);
    header += "{'descr': " + type() + ", 'fortran_order': False, 'shape': (" + std::to_string(size_) + ",), }";
    header.resize(bytes - 1, ' ');
    header += '\n';
    file_.write(header.data(), static_cast<std::streamsize>(header.size()));
  }
  static std::string type() {
    if constexpr (npy_type<T> != nullptr) {
      return npy_type<T>;
    } else {
      std::string text = "'";
      text += sizeof(T) == 1 ? '|' : '<';
      text += std::is_signed_v<T> ? 'i' : 'u';
      return text + std::to_string(sizeof(T)) + "'";
    }
  }
  static_assert(std::endian::native == std::endian::little);

  std::filesystem::path path_;
  std::ofstream file_;
  std::string why_;
  std::uint64_t size_ = 0;
};

} // namespace hypermon
