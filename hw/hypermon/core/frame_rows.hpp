// SPDX-License-Identifier: BSD-3-Clause
// Frames that were read, as rows of bytes: the words as on the PBX bus, and the time at which the last word had been
// read.
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include <memory>

namespace hypermon {

/// Deleter that keeps the last freed large buffer for the next rows, because the system needs longer to clear and hand
/// out pages than it takes to fill rows. The system may reclaim the kept memory in the meantime (MADV_FREE).
struct FreeRows {
  std::size_t size = 0;
  void operator()(std::byte* bytes) const;
};

/// A row, without gaps: data words (the first one first) and the vector word, 4 bytes each; the timestamp as a number
/// of 4 bytes, or 8 if it has more than 32 bits; read_end in ns, 8 bytes.
class FrameRows {
public:
  explicit FrameRows(const FrameFormat& format)
      : format_(format), stride_(timestamp_at() + (wide_timestamp() ? 8 : 4) + 8) {}

  const FrameFormat& format() const { return format_; }
  std::size_t stride() const { return stride_; }
  std::size_t vector_at() const { return 4 * format_.data_words(); }
  std::size_t timestamp_at() const { return vector_at() + 4; }
  bool wide_timestamp() const { return format_.timestamp_words() > 1; }
  std::size_t read_end_at() const { return stride_ - 8; }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  /// Reserves room for `rows` rows in all. The system allocates no memory that is never written.
  void reserve(std::size_t rows);
  /// Row `i`, which must not have been dropped by forget_before().
  std::byte* row(std::size_t i) { return bytes_.get() + (i - gone_) * stride_; }
  /// Drops the rows before row `end` and reuses their memory for later rows. The remaining rows keep their numbers.
  /// gone() is the number of dropped rows.
  void forget_before(std::size_t end);
  std::size_t gone() const { return gone_; }
  /// Declares that `rows` rows have been written.
  void set_size(std::size_t rows) { size_ = rows; }
  void push(const DeliveredFrame& delivered);

  using Bytes = std::unique_ptr<std::byte[], FreeRows>;
  /// Moves out the remaining rows, in a buffer no larger than they need.
  Bytes release();

private:
  void resize(std::size_t bytes);

  FrameFormat format_;
  std::size_t stride_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t gone_ = 0;
  Bytes bytes_;
};

} // namespace hypermon
