// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/host_file.hpp"
#include "base/user_error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace hypermon::mpiio {

int HostFile::open(bool writes) {
  if (descriptor_ >= 0 && (is_writable_ || !writes)) return 0;
  constexpr int flags = O_CLOEXEC | O_NONBLOCK; // opening a FIFO must not wait for its other end
  bool is_writable = true;
  int made = ::open(path_.c_str(), O_RDWR | O_CREAT | flags, 0666);
  if (made < 0 && !writes && (errno == EACCES || errno == EROFS)) {
    is_writable = false;
    made = ::open(path_.c_str(), O_RDONLY | flags);
  }
  if (made < 0) return errno;
  struct stat status {};
  if (::fstat(made, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(made);
    return EISDIR;
  }
  close();
  descriptor_ = made;
  is_writable_ = is_writable;
  device_ = status.st_dev;
  number_ = status.st_ino;
  return 0;
}

void HostFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

HostFile::Stamp HostFile::stamp() const {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_size,
          status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec};
}

bool HostFile::is_there() const {
  const Stamp now = stamp();
  return now.device == device_ && now.number == number_;
}

std::int64_t HostFile::size() const {
  struct stat status {};
  if (descriptor_ < 0) return stamp().bytes;
  return ::fstat(descriptor_, &status) == 0 ? status.st_size : 0;
}

void HostFile::resize(std::int64_t bytes) {
  if (::ftruncate(descriptor_, bytes) != 0) fail("have another size");
}

namespace {
constexpr std::int64_t window_bytes = 64 << 10; // (chosen)
}

bool HostFile::show(std::int64_t offset, std::int64_t bytes) const {
  if (!window_) return false;
  if (window_->begin >= 0 && offset >= window_->begin && offset + bytes <= window_->begin + window_bytes) return true;
  flush();
  if (bytes > window_bytes / 8) return false;
  shown_.resize(static_cast<std::size_t>(window_bytes));
  read_through(offset, shown_.data(), window_bytes);
  *window_ = {offset, window_bytes, 0};
  return true;
}

void HostFile::flush() const {
  if (!window_ || window_->begin < 0) return;
  const Window last = std::exchange(*window_, Window());
  if (last.written_begin < last.written_end)
    write_through(last.begin + last.written_begin, shown_.data() + last.written_begin,
                  last.written_end - last.written_begin);
}

void HostFile::end_pieces() {
  flush();
  window_.reset();
}

void HostFile::write(std::int64_t offset, const char* data, std::int64_t bytes) {
  if (!show(offset, bytes)) return write_through(offset, data, bytes);
  const std::int64_t at = offset - window_->begin;
  std::memcpy(shown_.data() + at, data, static_cast<std::size_t>(bytes));
  window_->written_begin = std::min(window_->written_begin, at);
  window_->written_end = std::max(window_->written_end, at + bytes);
}

void HostFile::read(std::int64_t offset, char* data, std::int64_t bytes) const {
  if (!show(offset, bytes)) return read_through(offset, data, bytes);
  std::memcpy(data, shown_.data() + (offset - window_->begin), static_cast<std::size_t>(bytes));
}

void HostFile::write_through(std::int64_t offset, const char* data, std::int64_t bytes) const {
  while (bytes > 0) {
    const ssize_t done = ::pwrite(descriptor_, data, static_cast<std::size_t>(bytes), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("be written");
    offset += done;
    data += done;
    bytes -= done;
  }
}

void HostFile::read_through(std::int64_t offset, char* data, std::int64_t bytes) const {
  while (bytes > 0) {
    const ssize_t done = ::pread(descriptor_, data, static_cast<std::size_t>(bytes), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("be read");
    if (done == 0) {
      std::memset(data, 0, static_cast<std::size_t>(bytes)); // beyond the end of the file
      return;
    }
    offset += done;
    data += done;
    bytes -= done;
  }
}

void HostFile::fail(const char* what) const {
  fail_user(UserError("MPI-IO: " + path_.string() + " cannot " + what + ": " + std::strerror(errno)));
}

} // namespace hypermon::mpiio
