// SPDX-License-Identifier: BSD-3-Clause
// What is in the shared file system: files by their paths, as the server has them.
#pragma once
#include "base/time.hpp"
#include "hw/nfs/core/shared_files.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::nfs {

/// "profiles" of "profiles/profile.0.0.0"; "" of a path without directory.
std::string directory_of(const std::string& path);
/// "profile.0.0.0"
std::string name_of(const std::string& path);

class Tree {
public:
  using Attributes = SharedFiles::Attributes;

  /// Empty, and a file of its own, or what there is of that path.
  Attributes create(Time now, const std::string& path);
  /// That are of a file, from now on, if it is still there, whatever its path is now.
  void write(Time now, SharedFiles::Contents contents);
  /// False: there is no `from`. What was `to` is gone.
  bool rename(const std::string& from, const std::string& to);
  void remove(const std::string& path);
  void make_directory(const std::string& path);

  std::optional<Attributes> find(const std::string& path) const;
  /// None if it is no more, as a server's stale file handle says.
  const SharedFiles::Contents* contents(SharedFiles::FileNumber file) const;
  /// In the order of their names.
  std::vector<SharedFiles::Entry> list(const std::string& directory) const;
  /// Grows with each change of what list() gives.
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
  std::map<std::string, std::uint64_t> versions_; // of directories
};

} // namespace hypermon::nfs
