// SPDX-License-Identifier: BSD-3-Clause
// A node's own disk, as far as traces need it: files that grow, with one request at a time.
#pragma once
#include "hw/core/disk.hpp"
#include "hw/machine/storage.hpp"

#include <optional>
#include <string>

namespace hypermon::hdtrace {

class NodeDisk {
public:
  NodeDisk(const DiskGeometry& geometry, std::int64_t capacity)
      : disk_(geometry), layout_(extent), capacity_(capacity) {}

  /// Time at which `bytes` more bytes of the file are on disk; none if there is no room.
  std::optional<Time> write(Time now, const std::string& file, std::int64_t bytes) {
    if (written_ + bytes > capacity_) return {};
    written_ += bytes;
    Time end = now;
    for (const FileLayout::Piece& piece : layout_.append(file, bytes))
      end = disk_.ask(now, piece.address, piece.bytes).end;
    return end;
  }
  /// Bytes of traces.
  std::int64_t written() const { return written_; }
  /// A file system's server on the node has written to a disk of its own.
  void serve(std::int64_t bytes) { served_ += bytes; }
  std::int64_t served() const { return served_; }

private:
  static constexpr std::int64_t extent = 64 << 20;
  FifoDisk disk_;
  FileLayout layout_;
  std::int64_t capacity_;
  std::int64_t written_ = 0;
  std::int64_t served_ = 0;
};

} // namespace hypermon::hdtrace
