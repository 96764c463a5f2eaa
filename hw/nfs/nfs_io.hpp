// SPDX-License-Identifier: BSD-3-Clause
// The shared file system under MPI-IO: a rank's data are on stable storage when its write returns, as on a mount
// without caching (noac), which MPI-IO needs on NFS.
#pragma once
#include "hw/nfs/nfs_files.hpp"
#include "hw/packets/core/parallel_file_system.hpp"

#include <functional>
#include <map>
#include <string>

namespace hypermon {

class NfsIo final : public ParallelFileSystem {
public:
  explicit NfsIo(NfsFiles& files) : files_(files) {}

  FileId file(const std::string& name) override {
    return numbers_.try_emplace(name, FileId{static_cast<std::uint32_t>(numbers_.size())}).first->second;
  }
  void submit(FileRequest request, std::function<void(FileAnswer)> done) override;
  std::int64_t size(FileId file) const override {
    const auto found = sizes_.find(file);
    return found == sizes_.end() ? 0 : found->second;
  }
  void resize(FileId file, std::int64_t bytes) override { sizes_[file] = bytes; }
  void remove(FileId file) override { sizes_.erase(file); }
  std::int64_t regions_per_request() const override { return 1 << 20; }
  std::int64_t stripe_bytes() const override { return files_.transfer_bytes(); }

private:
  NfsFiles& files_;
  std::map<std::string, FileId> numbers_;
  std::map<FileId, std::int64_t> sizes_;
};

} // namespace hypermon
