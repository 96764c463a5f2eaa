// SPDX-License-Identifier: BSD-3-Clause
// Content of the shared file system: the server's files by their paths.
#pragma once
#include "base/time.hpp"
#include "hw/nfs/core/shared_files.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::nfs {

/// "profiles" for "profiles/profile.0.0.0"; "" for a path without directory.
std::string directory_of(const std::string& path);
/// "profile.0.0.0" for the same path.
std::string name_of(const std::string& path);

class Tree {
public:
  using Attributes = SharedFiles::Attributes;

  /// Creates an empty file with a new number, or returns the existing file of that path.
  Attributes create(Time now, const std::string& path);
  /// Replaces the contents of the file with that number, if it still exists, whatever its path is now.
  void write(Time now, SharedFiles::Contents contents);
  /// Returns false if `from` does not exist. An existing file `to` is replaced.
  bool rename(const std::string& from, const std::string& to);
  void remove(const std::string& path);
  void make_directory(const std::string& path);

  std::optional<Attributes> find(const std::string& path) const;
  /// None if the file no longer exists, as with a server's stale file handle.
  const SharedFiles::Contents* contents(SharedFiles::FileNumber file) const;
  /// Entries in the order of their names.
  std::vector<SharedFiles::Entry> list(const std::string& directory) const;
  /// Increases with each change of the result of list().
  std::uint64_t version(const std::string& directory) const;
  std::size_t files() const { return paths_.size(); }

private:
  struct File {
    Attributes attributes;
    SharedFiles::Contents contents;
  };
  void change(const std::string& path) { ++versions_[directory_of(path)]; }

  std::uint64_t last_number_ = 0;
  std::map<std::string, SharedFiles::FileNumber> paths_;
  std::map<SharedFiles::FileNumber, File> files_;
  std::map<std::string, std::uint64_t> versions_; // versions of directories
};

} // namespace hypermon::nfs
