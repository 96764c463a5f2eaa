// SPDX-License-Identifier: BSD-3-Clause
// Blocks of bytes in an unnamed temporary file, for queues that are too long for memory. The operating system removes
// the file when the process ends, even if it is killed.
#pragma once
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace hypermon {

class SpillFile {
public:
  static constexpr std::size_t block_bytes = 1 << 16;
  using Block = std::uint32_t;

  SpillFile() = default;
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile() {
    if (file_ >= 0) ::close(file_);
  }

  // `bytes` has at most block_bytes. All functions throw std::runtime_error, which names the temporary folder.
  Block write(std::span<const std::byte> bytes) {
    Block block = end_;
    if (free_.empty()) {
      ++end_;
    } else {
      block = free_.back();
      free_.pop_back();
    }
    rewrite(block, bytes);
    return block;
  }
  void rewrite(Block block, std::span<const std::byte> bytes) {
    if (file_ < 0) open();
    each_piece(bytes, block,
               [this](const std::byte* from, std::size_t n, off_t at) { return ::pwrite(file_, from, n, at); });
  }
  void read(Block block, std::span<std::byte> to) const {
    each_piece(to, block, [this](std::byte* into, std::size_t n, off_t at) { return ::pread(file_, into, n, at); });
  }
  /// Makes the block's place available to later blocks.
  void free(Block block) { free_.push_back(block); }

  /// Number of blocks in use.
  std::size_t blocks() const { return end_ - free_.size(); }

private:
  static std::filesystem::path folder() {
    const char* named = std::getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): no code changes it
    return named != nullptr && *named != '\0' ? named : "/tmp";
  }
  [[noreturn]] static void fail(int error) {
    throw std::runtime_error(folder().string() + ": " + std::generic_category().message(error) +
                             ": long backlogs are kept in this folder; TMPDIR can name another one");
  }
  void open() {
    const std::string in = folder().string();
    file_ = ::open(in.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file_ >= 0) return;
    std::string name = in + "/hypermon-XXXXXX"; // used if the file system has no unnamed files
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0) fail(errno);
    ::unlink(name.c_str());
  }
  template <class Byte, class F> static void each_piece(std::span<Byte> bytes, Block block, F&& transfer) {
    auto at = static_cast<off_t>(block) * static_cast<off_t>(block_bytes);
    while (!bytes.empty()) {
      const ssize_t n = transfer(bytes.data(), bytes.size(), at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail(n < 0 ? errno : EIO);
      bytes = bytes.subspan(static_cast<std::size_t>(n));
      at += n;
    }
  }

  int file_ = -1;
  Block end_ = 0;
  std::vector<Block> free_;
};

} // namespace hypermon
