// SPDX-License-Identifier: BSD-3-Clause
// A file system that takes no time.
#pragma once
#include "hw/packets/core/parallel_file_system.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace hypermon::mpiio {

class IdealFiles : public ParallelFileSystem {
public:
  /// `capacity`: total bytes of all files; 0: no limit.
  explicit IdealFiles(std::int64_t capacity)
      : room_(capacity > 0 ? capacity : std::numeric_limits<std::int64_t>::max()) {}

  FileId file(const std::string& name) override {
    return FileId{numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second};
  }
  void submit(FileRequest request, std::function<void(FileAnswer)> done) override {
    FileAnswer answer;
    for (const FileRegion& region : request.regions) {
      std::int64_t bytes = region.bytes;
      if (request.kind == FileRequest::Kind::write) {
        bytes = std::clamp<std::int64_t>(size(request.file) + room_ - region.offset, 0, bytes);
        resize(request.file, std::max(size(request.file), region.offset + bytes));
      }
      answer.bytes += bytes;
      if (bytes == region.bytes) continue;
      answer.error = FileAnswer::Error::no_space;
      break;
    }
    done(answer);
  }
  std::int64_t size(FileId file) const override {
    const auto found = sizes_.find(file);
    return found == sizes_.end() ? 0 : found->second;
  }
  void resize(FileId file, std::int64_t bytes) override {
    room_ -= bytes - size(file);
    sizes_[file] = bytes;
  }
  void remove(FileId file) override { resize(file, 0); }
  std::int64_t regions_per_request() const override { return 64; } // the value of PVFS (facts, hdtrace)
  std::int64_t stripe_bytes() const override { return 0; }

private:
  std::int64_t room_;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<FileId, std::int64_t> sizes_;
};

} // namespace hypermon::mpiio
