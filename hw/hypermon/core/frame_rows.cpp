// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/frame_rows.hpp"
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace hypermon {

void FrameRows::resize(std::size_t bytes) {
  auto* moved = static_cast<std::byte*>(std::realloc(bytes_.get(), std::max<std::size_t>(bytes, 1)));
  if (moved == nullptr) throw std::bad_alloc();
  static_cast<void>(bytes_.release());
  bytes_.reset(moved);
}

void FrameRows::reserve(std::size_t rows) {
  if (rows <= capacity_) return;
  resize(rows * stride_);
  capacity_ = rows;
  // As NumPy does: without it, half of the time is the system's, for pages of 4 KiB.
  constexpr std::uintptr_t page = 1 << 21;
  const std::size_t to_next_page = page - reinterpret_cast<std::uintptr_t>(bytes_.get()) % page;
  if (rows * stride_ > to_next_page + page)
    madvise(bytes_.get() + to_next_page, rows * stride_ - to_next_page, MADV_HUGEPAGE);
}

void FrameRows::push(const DeliveredFrame& delivered) {
  if (size_ == capacity_) reserve(std::max<std::size_t>(2 * capacity_, 1024));
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
  resize(size_ * stride_);
  size_ = capacity_ = 0;
  return std::move(bytes_);
}

} // namespace hypermon
