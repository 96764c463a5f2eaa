// SPDX-License-Identifier: BSD-3-Clause
// Words on a link that wait for a funnel or the formatter.
#pragma once
#include "base/queues.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <cstdint>

namespace hypermon {

struct TraceWord {
  std::uint16_t source;
  std::uint8_t bytes;
  bool ends_message; ///< only with TraceGrant::message, where no word has bytes of two messages
};

/// At an edge the consumer acts before the producer, and a word that is taken makes no room before the next edge.
class WordQueue {
public:
  explicit WordQueue(std::int64_t depth) : depth_(static_cast<std::size_t>(depth)) {}

  /// Keeps bit `input` of `waiting` set while the queue has a word.
  void told_to(std::uint32_t& waiting, std::size_t input) {
    waiting_ = &waiting;
    bit_ = std::uint32_t{1} << input;
  }

  bool empty() const { return words_.empty(); }
  std::size_t size() const { return words_.size(); }
  std::size_t peak() const { return peak_; }
  const TraceWord& front() const { return words_.front(); }
  /// The newest word in the queue.
  TraceWord& newest() { return words_[words_.size() - 1]; }

  TraceWord take(Time edge) {
    const TraceWord word = words_.front();
    words_.pop();
    taken_at_ = edge;
    if (words_.empty() && waiting_ != nullptr) *waiting_ &= ~bit_;
    return word;
  }
  /// Whether it had room before the edge. Called after take().
  bool had_room(Time edge) const { return words_.size() + (taken_at_ == edge ? 1 : 0) < depth_; }
  void put(const TraceWord& word) {
    words_.push(word);
    peak_ = std::max(peak_, words_.size());
    if (waiting_ != nullptr) *waiting_ |= bit_;
  }

private:
  std::size_t depth_;
  Ring<TraceWord> words_;
  Time taken_at_ = Time::from_ps(-1);
  std::size_t peak_ = 0;
  std::uint32_t* waiting_ = nullptr;
  std::uint32_t bit_ = 0;
};

} // namespace hypermon
