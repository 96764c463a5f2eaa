// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/contents.hpp"

#include <algorithm>
#include <cstring>

namespace hypermon::mpiio {

void FileContents::resize(std::int64_t bytes) {
  if (bytes < size_) {
    const std::int64_t last = bytes / block_bytes; // first block that is not kept completely
    if (const auto block = blocks_.find(last); block != blocks_.end())
      std::memset(block->second->data() + bytes % block_bytes, 0,
                  static_cast<std::size_t>(block_bytes - bytes % block_bytes));
    blocks_.erase(blocks_.upper_bound(last), blocks_.end());
  }
  size_ = bytes;
}

void FileContents::write(std::int64_t offset, const char* data, std::int64_t bytes) {
  reach(offset + bytes);
  while (bytes > 0) {
    auto& block = blocks_[offset / block_bytes];
    if (!block) block = std::make_unique<Block>();
    const std::int64_t within = offset % block_bytes;
    const std::int64_t n = std::min(bytes, block_bytes - within);
    std::memcpy(block->data() + within, data, static_cast<std::size_t>(n));
    offset += n;
    data += n;
    bytes -= n;
  }
}

void FileContents::read(std::int64_t offset, char* data, std::int64_t bytes) const {
  while (bytes > 0) {
    const std::int64_t within = offset % block_bytes;
    const std::int64_t n = std::min(bytes, block_bytes - within);
    const auto block = blocks_.find(offset / block_bytes);
    if (block == blocks_.end())
      std::memset(data, 0, static_cast<std::size_t>(n));
    else
      std::memcpy(data, block->second->data() + within, static_cast<std::size_t>(n));
    offset += n;
    data += n;
    bytes -= n;
  }
}

void FileContents::for_each_block(const std::function<void(std::int64_t, const char*, std::int64_t)>& f) const {
  for (const auto& [number, block] : blocks_) {
    const std::int64_t offset = number * block_bytes;
    if (offset < size_) f(offset, block->data(), std::min(block_bytes, size_ - offset));
  }
}

} // namespace hypermon::mpiio
