// SPDX-License-Identifier: BSD-3-Clause
#include "hw/nfs/nfs_io.hpp"

#include <algorithm>
#include <memory>

namespace hypermon {

void NfsIo::submit(FileRequest request, std::function<void(FileAnswer)> done) {
  const auto answer = std::make_shared<FileAnswer>();
  std::vector<std::int64_t> parts;
  const bool reads = request.kind == FileRequest::Kind::read;
  for (const FileRegion& region : request.regions) {
    const std::int64_t there =
        reads ? std::clamp<std::int64_t>(size(request.file) - region.offset, 0, region.bytes) : region.bytes;
    if (!reads) resize(request.file, std::max(size(request.file), region.offset + region.bytes));
    answer->bytes += there;
    for (std::int64_t left = std::max<std::int64_t>(there, reads ? 1 : 0); left > 0; left -= stripe_bytes())
      parts.push_back(std::min(left, stripe_bytes())); // at the end of the file, this is a READ without data
  }
  const nfs::Procedure procedure = request.kind == FileRequest::Kind::flush ? nfs::Procedure::commit
                                   : reads                                  ? nfs::Procedure::read
                                                                            : nfs::Procedure::write;
  if (request.kind == FileRequest::Kind::flush) parts = {0};
  files_.call_all(request.node, procedure, parts, [answer, done = std::move(done)] { done(*answer); });
}

} // namespace hypermon
