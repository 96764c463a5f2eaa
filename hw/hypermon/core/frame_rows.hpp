// SPDX-License-Identifier: BSD-3-Clause
// Frames that were read, as rows of bytes: the words as on the PBX bus, and when the last of them had been read.
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include <memory>

namespace hypermon {

/// Of many bytes the last ones that were freed are kept for the next rows: to clear pages and hand them out costs the
/// system more than rows cost. What it needs meanwhile it may take (MADV_FREE).
struct FreeRows {
  std::size_t size = 0;
  void operator()(std::byte* bytes) const;
};

/// A row, without gaps: data words (the first first) and the vector word, 4 bytes each; the timestamp as a number, of
/// 4 bytes or, with more than 32 bits, 8; read_end in ns, 8 bytes.
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
  /// Room for so many rows in all. Memory that is never written to is never taken.
  void reserve(std::size_t rows);
  /// Row `i`, which must not be forgotten.
  std::byte* row(std::size_t i) { return bytes_.get() + (i - gone_) * stride_; }
  /// Drops the rows before row `end` and reuses their memory for later rows. The remaining rows keep their numbers.
  /// gone() is the number of dropped rows.
  void forget_before(std::size_t end);
  std::size_t gone() const { return gone_; }
  /// So many rows have been written.
  void set_size(std::size_t rows) { size_ = rows; }
  void push(const DeliveredFrame& delivered);

  using Bytes = std::unique_ptr<std::byte[], FreeRows>;
  /// Moves out the remaining rows, in no more memory than they need.
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
