// SPDX-License-Identifier: BSD-3-Clause
// The contents of a file: its size, and its bytes if they are kept. Bytes are stored in blocks; bytes that were never
// written are zero and take no memory.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace hypermon::mpiio {

class FileContents {
public:
  explicit FileContents(bool keeps_bytes) : keeps_bytes_(keeps_bytes) {}
  FileContents(const FileContents&) = delete;
  FileContents& operator=(const FileContents&) = delete;
  virtual ~FileContents() = default;

  bool keeps_bytes() const { return keeps_bytes_; }
  virtual std::int64_t size() const { return size_; }
  /// A longer file is filled with zeros.
  virtual void resize(std::int64_t bytes);
  /// Makes the file longer if it ends before `end`.
  void reach(std::int64_t end) {
    if (size() < end) resize(end);
  }
  /// Bracket a sequence of many pieces, during which no other process reads or writes the file.
  virtual void begin_pieces() {}
  virtual void end_pieces() {}
  /// Stores the bytes. It may be called only if bytes are kept.
  virtual void write(std::int64_t offset, const char* data, std::int64_t bytes);
  /// Bytes beyond the size are read as zero.
  virtual void read(std::int64_t offset, char* data, std::int64_t bytes) const;
  /// Calls f(offset, data, bytes) for all blocks that were written to, in ascending order.
  void for_each_block(const std::function<void(std::int64_t, const char*, std::int64_t)>& f) const;

private:
  static constexpr std::int64_t block_bytes = 64 << 10; // (chosen)
  using Block = std::array<char, block_bytes>;

  bool keeps_bytes_;
  std::int64_t size_ = 0;
  std::map<std::int64_t, std::unique_ptr<Block>> blocks_; // by number
};

} // namespace hypermon::mpiio
