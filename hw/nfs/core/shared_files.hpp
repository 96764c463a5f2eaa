// SPDX-License-Identifier: BSD-3-Clause
// A file system that all computers of the machine share, as processes call it: whoever calls is an actor of a process
// at that place, and each call returns when the process's system call does.
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
  /// A file, whatever it is called: no two that there ever were have the same.
  enum class FileNumber : std::uint64_t {};
  /// Bytes, and what they say, if somebody shall read it.
  struct Contents {
    FileNumber of{};
    Time changed{}; ///< as Attributes have it
    std::int64_t bytes = 0;
    std::shared_ptr<const std::string> text{};
  };
  struct Attributes {
    FileNumber number{};
    std::int64_t bytes = 0;
    Time changed; ///< true time at which it was written
  };
  struct Entry {
    std::string name; ///< within its directory
    FileNumber number{};
  };

  virtual ~SharedFiles() = default;
  /// CPU time of a process for a system call that copies so many bytes: who calls for one spends it.
  virtual Time call_time(std::int64_t bytes) const = 0;

  virtual void make_directory(const Place& from, const std::string& path) = 0;
  /// For writing, empty; it need not exist.
  virtual FileNumber open(const Place& from, const std::string& path) = 0;
  /// Appends, in the memory of its computer: takes no time beside call_time().
  virtual void write(const Place& from, const std::string& path, std::int64_t bytes, const std::string& text = {}) = 0;
  /// Everything is on stable storage when it returns.
  virtual void close(const Place& from, const std::string& path) = 0;
  /// What was `to` is gone.
  virtual void rename(const Place& from, const std::string& old_path, const std::string& to) = 0;
  virtual void remove(const Place& from, const std::string& path) = 0;

  /// What is in the directory now, in the order of the names.
  virtual std::vector<Entry> list(const Place& from, const std::string& directory) = 0;
  /// As far as the place's computer knows; none if there is no such file.
  virtual std::optional<Attributes> attributes(const Place& from, const std::string& path) = 0;
  /// Opens, reads and closes it; none if it is gone, or another one took its place meanwhile.
  virtual std::optional<Contents> read(const Place& from, const std::string& path) = 0;
};

} // namespace hypermon
