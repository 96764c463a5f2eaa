// SPDX-License-Identifier: BSD-3-Clause
// A process's trace in its memory: it stores records until it is full, then drops or flushes. It uses no simulation
// kernel: its owner writes the buffer out and calls take() afterwards.
#pragma once
#include "base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hypermon::software {

/// Kind of a record.
enum class Kind : std::uint8_t {
  enter, ///< an MPI call
  leave,
  routine_enter,
  routine_leave,
  send,
  receive,
  collective_begin,
  collective_end,
  flush,
  mark,
};

struct Record {
  Time made;              ///< true time
  Time stamp;             ///< time by the process's clock
  std::uint64_t argument; ///< number of the MPI function or routine; value of a mark; duration of a flush in ps
  Kind kind{};
};

struct Amount {
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
};

class TraceBuffer {
public:
  TraceBuffer(std::int64_t capacity, bool flushes) : capacity_(capacity), flushes_(flushes) {}

  /// True if the buffer must be written out before a record of `bytes` bytes fits.
  bool must_flush(std::int64_t bytes) const { return flushes_ && !records_.empty() && held_ + bytes > capacity_; }
  /// Adds a record. It is lost if there is no room.
  void add(const Record& record, std::int64_t bytes) {
    count(generated_, bytes);
    if (held_ + bytes > capacity_) {
      count(lost_, bytes);
      if (!first_loss_) first_loss_ = record.made;
      return;
    }
    held_ += bytes;
    most_ = std::max(most_, held_);
    records_.push_back(record);
  }
  /// Sizes of the writes for the buffer's content, of at most `most` bytes each.
  std::vector<std::int64_t> writes(std::int64_t most) const {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(held_ / most), most);
    if (held_ % most > 0) sizes.push_back(held_ % most);
    return sizes;
  }
  /// The content has been written: empties the buffer and returns the delivered records.
  std::vector<Record> take() {
    delivered_.bytes += static_cast<std::uint64_t>(std::exchange(held_, 0));
    delivered_.records += records_.size();
    return std::exchange(records_, {});
  }

  std::int64_t held() const { return held_; }
  const std::vector<Record>& records() const { return records_; }
  std::int64_t most() const { return most_; }
  const Amount& generated() const { return generated_; }
  const Amount& delivered() const { return delivered_; }
  const Amount& lost() const { return lost_; }
  const std::optional<Time>& first_loss() const { return first_loss_; }

private:
  static void count(Amount& amount, std::int64_t bytes) {
    amount.bytes += static_cast<std::uint64_t>(bytes);
    ++amount.records;
  }

  std::int64_t capacity_;
  bool flushes_;
  std::int64_t held_ = 0;
  std::int64_t most_ = 0;
  std::vector<Record> records_;
  Amount generated_;
  Amount delivered_;
  Amount lost_;
  std::optional<Time> first_loss_;
};

} // namespace hypermon::software
