// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/frame_rows.hpp"
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace hypermon {

namespace {

constexpr std::uintptr_t huge_page = 1 << 21;
/// For buffers of this size the C library gets separate memory from the system, which allocates no page before it is
/// written.
constexpr std::size_t many = (std::size_t{1} << 25) + huge_page;

std::size_t to_huge_page(const std::byte* bytes) {
  return huge_page - reinterpret_cast<std::uintptr_t>(bytes) % huge_page;
}

struct Kept {
  std::byte* bytes = nullptr;
  std::size_t size = 0;
};
std::mutex kept_mutex;
Kept kept;

Kept exchange_kept(Kept replacement) {
  const std::lock_guard lock(kept_mutex);
  return std::exchange(kept, replacement);
}

} // namespace

void FreeRows::operator()(std::byte* bytes) const {
  if (size >= many) {
    const std::size_t from = to_huge_page(bytes);
    madvise(bytes + from, (size - from) / huge_page * huge_page, MADV_FREE);
    bytes = exchange_kept({bytes, size}).bytes;
  }
  std::free(bytes);
}

void FrameRows::resize(std::size_t bytes) {
  auto* moved = static_cast<std::byte*>(std::realloc(bytes_.get(), std::max<std::size_t>(bytes, 1)));
  if (moved == nullptr) throw std::bad_alloc();
  static_cast<void>(bytes_.release());
  bytes_ = Bytes(moved, {bytes});
}

// A kept buffer is neither shrunk nor moved, because the system would split its huge pages.
void FrameRows::reserve(std::size_t rows) {
  if (rows <= capacity_) return;
  const std::size_t bytes = (rows - gone_) * stride_;
  if (!bytes_ && bytes >= many) {
    const Kept found = exchange_kept({});
    if (found.size >= bytes) {
      bytes_ = Bytes(found.bytes, {found.size});
      capacity_ = gone_ + found.size / stride_;
      return;
    }
    std::free(found.bytes);
  }
  resize(bytes);
  capacity_ = rows;
  // NumPy does the same: without huge pages, half of the time goes into the system's handling of 4 KiB pages.
  const std::size_t from = to_huge_page(bytes_.get());
  if (bytes > from + huge_page) madvise(bytes_.get() + from, bytes - from, MADV_HUGEPAGE);
}

void FrameRows::forget_before(std::size_t end) {
  const std::size_t more = end - gone_;
  if (more == 0) return;
  std::memmove(bytes_.get(), row(end), (size_ - end) * stride_);
  gone_ += more;
  capacity_ += more;
}

void FrameRows::push(const DeliveredFrame& delivered) {
  if (size_ == capacity_) reserve(gone_ + std::max<std::size_t>(2 * (capacity_ - gone_), 1024));
  const EventFrame& frame = delivered.frame;
  std::byte* const to = row(size_++);
  for (std::size_t i = 0; i <= format_.data_words(); ++i) {
    const std::uint32_t word = format_.word(frame, i);
    std::memcpy(to + 4 * i, &word, 4);
  }
  std::memcpy(to + timestamp_at(), &frame.timestamp, wide_timestamp() ? 8 : 4); // little-endian
  const std::int64_t read_end = delivered.read_end.ps() / 1000;
  std::memcpy(to + read_end_at(), &read_end, 8);
}

FrameRows::Bytes FrameRows::release() {
  if (bytes_.get_deleter().size < many) resize((size_ - gone_) * stride_);
  size_ = capacity_ = gone_ = 0;
  return std::move(bytes_);
}

} // namespace hypermon
