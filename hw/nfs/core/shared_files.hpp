// SPDX-License-Identifier: BSD-3-Clause
// A file system that all computers of the machine share, as processes use it. The caller is an actor of a process at
// the given place; each call returns when the process's system call does.
#pragma once
#include "base/time.hpp"
#include "hw/machine/site.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

class SharedFiles {
public:
  /// Number of a file, independent of its name. Numbers are never reused.
  enum class FileNumber : std::uint64_t {};
  /// Bytes of a file, and their text if a reader needs it.
  struct Contents {
    FileNumber file{};
    Time changed{}; ///< as in Attributes
    std::int64_t bytes = 0;
    std::shared_ptr<const std::string> text{};
  };
  struct Attributes {
    FileNumber number{};
    std::int64_t bytes = 0;
    Time changed; ///< true time of the last write
  };
  struct Entry {
    std::string name; ///< within its directory
    FileNumber number{};
  };

  virtual ~SharedFiles() = default;
  /// CPU time of a system call that copies `bytes` bytes. The caller spends it.
  virtual Time call_time(std::int64_t bytes) const = 0;

  virtual void make_directory(const Place& from, const std::string& path) = 0;
  /// Opens an empty file for writing and creates it if necessary.
  virtual FileNumber open(const Place& from, const std::string& path) = 0;
  /// Appends in the memory of the computer, which takes no time besides call_time().
  virtual void write(const Place& from, const std::string& path, std::int64_t bytes, const std::string& text = {}) = 0;
  /// On return everything is on stable storage.
  virtual void close(const Place& from, const std::string& path) = 0;
  /// An existing file `to` is replaced.
  virtual void rename(const Place& from, const std::string& old_path, const std::string& to) = 0;
  virtual void remove(const Place& from, const std::string& path) = 0;

  /// Current entries of the directory, in the order of their names.
  virtual std::vector<Entry> list(const Place& from, const std::string& directory) = 0;
  /// Attributes as the place's computer knows them; none if there is no such file.
  virtual std::optional<Attributes> attributes(const Place& from, const std::string& path) = 0;
  /// Opens, reads and closes the file; none if it is gone or was replaced meanwhile.
  virtual std::optional<Contents> read(const Place& from, const std::string& path) = 0;
};

} // namespace hypermon
