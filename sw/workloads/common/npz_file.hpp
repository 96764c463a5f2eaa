// SPDX-License-Identifier: BSD-3-Clause
// Reads the arrays of a NumPy archive (.npz: a zip file of .npy members, as numpy.savez stores them) piece by piece,
// directly from their positions in the file.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace hypermon {

static_assert(std::endian::native == std::endian::little);

/// Throws std::runtime_error with the file's name if the file is not an archive or its arrays are compressed.
class NpzFile {
public:
  explicit NpzFile(const std::string& path) : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) fail("cannot be read");
    size_ = static_cast<std::uint64_t>(status.st_size);
    read_directory();
  }
  ~NpzFile() { close(descriptor_); }
  NpzFile(const NpzFile&) = delete;
  NpzFile& operator=(const NpzFile&) = delete;

  struct Array {
    std::uint64_t offset = 0; // place of its first item in the file
    std::uint64_t items = 0;  // length of the first dimension
  };
  /// The array of that name. Its items must have this NumPy type (as written in the .npy header).
  Array array(const std::string& name, const std::string& type) const {
    const auto found = members_.find(name + ".npy");
    if (found == members_.end()) fail("has no array " + name);
    const auto [begin, size] = found->second;
    const auto start = bytes(begin, 10);
    const auto length = static_cast<std::uint8_t>(start[8]) | static_cast<std::uint8_t>(start[9]) << 8;
    if (start.substr(0, 7) != "\x93NUMPY\x01") fail(name + ": is no .npy of format 1.0");
    const auto header = bytes(begin + 10, static_cast<std::uint64_t>(length));
    if (header.find("'descr': " + type + ",") == std::string::npos) fail(name + ": its type is not " + type);
    const auto shape = header.find("'shape': (");
    if (shape == std::string::npos) fail(name + ": has no shape");
    Array found_array{begin + 10 + static_cast<std::uint64_t>(length), 0};
    found_array.items = std::stoull(header.substr(shape + 10));
    return found_array;
  }
  /// Item `first` and at most `most` - 1 following ones.
  template <class T>
  void read(const Array& array, std::uint64_t first, std::uint64_t most, std::vector<T>& items) const {
    const auto end = std::min(array.items, first + most);
    items.resize(first < end ? end - first : 0);
    read_at(array.offset + first * sizeof(T), items.data(), items.size() * sizeof(T));
  }
  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(path_ + ": " + what); }

private:
  void read_at(std::uint64_t offset, void* to, std::size_t size) const {
    for (std::size_t done = 0; done < size;) {
      const auto n = pread(descriptor_, static_cast<char*>(to) + done, size - done, static_cast<off_t>(offset + done));
      if (n <= 0) fail("ends at byte " + std::to_string(size_) + ", within an array");
      done += static_cast<std::size_t>(n);
    }
  }
  std::string bytes(std::uint64_t offset, std::uint64_t size) const {
    std::string text(size, '\0');
    read_at(offset, text.data(), size);
    return text;
  }
  template <class T> static T number(const std::string& bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  /// Reads the zip format's central directory (APPNOTE 4.3.12 to 4.3.16). A value of all ones is in the zip64 extra
  /// field.
  void read_directory() {
    constexpr std::uint64_t end_size = 22;
    constexpr std::uint64_t locator_size = 20;
    if (size_ < end_size) fail("is no NumPy archive");
    const auto end = bytes(size_ - end_size, end_size);
    if (end.substr(0, 4) != "PK\5\6") fail("is no NumPy archive, or ends too early");
    std::uint64_t count = number<std::uint16_t>(end, 10);
    std::uint64_t at = number<std::uint32_t>(end, 16);
    if (at == UINT32_MAX || count == UINT16_MAX) {
      const auto locator = bytes(size_ - end_size - locator_size, locator_size);
      const auto large = bytes(number<std::uint64_t>(locator, 8), 56);
      count = number<std::uint64_t>(large, 32);
      at = number<std::uint64_t>(large, 48);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto entry = bytes(at, 46);
      if (entry.substr(0, 4) != "PK\1\2") fail("its directory is damaged at byte " + std::to_string(at));
      const auto name_size = number<std::uint16_t>(entry, 28);
      const auto extra_size = number<std::uint16_t>(entry, 30);
      const auto name = bytes(at + 46, name_size);
      if (number<std::uint16_t>(entry, 10) != 0) fail(name + ": is compressed");
      std::uint64_t local = number<std::uint32_t>(entry, 42);
      std::uint64_t size = number<std::uint32_t>(entry, 20);
      read_large(bytes(at + 46 + name_size, extra_size), number<std::uint32_t>(entry, 24) == UINT32_MAX, size, local);
      const auto header = bytes(local, 30);
      members_[name] = {local + 30 + number<std::uint16_t>(header, 26) + number<std::uint16_t>(header, 28), size};
      at += 46U + name_size + extra_size + number<std::uint16_t>(entry, 32);
    }
  }
  static void read_large(const std::string& extra, bool has_size, std::uint64_t& size, std::uint64_t& local) {
    for (std::size_t i = 0; i + 4 <= extra.size(); i += 4U + number<std::uint16_t>(extra, i + 2)) {
      if (number<std::uint16_t>(extra, i) != 1) continue;
      std::size_t at = i + 4 + (has_size ? 8 : 0);
      for (auto* value : {&size, &local})
        if (*value == UINT32_MAX) {
          *value = number<std::uint64_t>(extra, at);
          at += 8;
        }
    }
  }

  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> members_; // offset of the data, size
};

} // namespace hypermon
