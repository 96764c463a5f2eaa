// SPDX-License-Identifier: BSD-3-Clause
// The files of a parallel file system: names, sizes, and space on the servers' disks.
#pragma once
#include "hw/packets/core/distribution.hpp"

#include <map>
#include <string>
#include <vector>

namespace hypermon::piosim {

class Files {
public:
  explicit Files(const PfsParams& params, const PfsDiskParams& disk);

  FileId number(const std::string& name);
  std::int64_t size(FileId file) const { return at(file).size; }
  const StripPattern& pattern(FileId file) const { return at(file).pattern; }
  /// A server's part occupies space up to its last byte, including holes. Extends a file even if there is no space.
  void resize(FileId file, std::int64_t bytes);
  /// The file has been written up to `end`.
  void written(FileId file, std::int64_t end);
  /// Allocates the space that a write of the regions needs, and cuts off what does not fit.
  void take_room(FileId file, std::vector<FileRegion>& regions);
  /// Cuts off regions beyond the file's end.
  void crop(FileId file, std::vector<FileRegion>& regions) const;

private:
  struct File {
    std::int64_t size = 0;
    std::int64_t room = 0; // number of bytes for which space is allocated
    StripPattern pattern;
  };
  File& at(FileId file) { return files_[static_cast<std::size_t>(file)]; }
  const File& at(FileId file) const { return files_[static_cast<std::size_t>(file)]; }
  void set_room(File& file, std::int64_t bytes);
  bool fits(const File& file, std::int64_t bytes) const;

  PfsParams params_;
  std::int64_t capacity_;
  std::map<std::string, FileId> numbers_;
  std::vector<File> files_;
  std::vector<std::int64_t> taken_; // allocated space, by server
};

} // namespace hypermon::piosim
