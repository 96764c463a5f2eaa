// SPDX-License-Identifier: BSD-3-Clause
// One funnel of the tree: at each edge it moves at most one word from one of its inputs to its output.
#pragma once
#include "base/time.hpp"
#include "hw/funnel/core/params.hpp"
#include "hw/funnel/core/word_queue.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

/// The current flush.
struct TraceFlush {
  bool everything = false; ///< true at the end of the trace
  bool active = false;
  std::vector<std::uint64_t> marks; ///< by source: position up to which its bytes are flushed while the flush is active
};

class FunnelNode {
public:
  /// An input: the queue of its words, and the best priority of its sources.
  struct Input {
    WordQueue* words;
    std::int64_t priority;
  };
  /// Sources of the words: `count` from `first` on, `per_input` at each input; if that is 1, the inputs are links.
  struct Sources {
    std::size_t first, count, per_input;
  };
  FunnelNode(const TraceLinkParams& link, Time clock, std::vector<Input> inputs, const Sources& sources,
             const TraceFlush& flush);
  FunnelNode(const FunnelNode&) = delete;

  /// Simulates an edge; the consumer of out() must have acted before. Returns true if anything has changed.
  bool at_edge(Time edge);

  WordQueue& out() { return out_; }
  const WordQueue& out() const { return out_; }
  /// Number of the input that is granted; -1: none.
  std::int32_t granted() const { return granted_ ? static_cast<std::int32_t>(last_) : -1; }

private:
  std::uint32_t flushed() const;
  std::uint32_t may_go(std::uint32_t flushed) const;
  std::optional<std::uint32_t> choose(Time edge, std::uint32_t may_go, std::uint32_t flushed);
  std::uint32_t next_in_turn(std::uint32_t candidates) const;

  static constexpr std::size_t priorities = 8;
  bool whole_messages_;
  std::int64_t hold_;
  bool hold_counts_cycles_;
  bool partial_at_flush_;
  std::uint8_t word_bytes_;
  Time clock_;
  std::vector<Input> inputs_;
  Sources sources_;
  const TraceFlush& flush_;
  std::array<std::uint32_t, priorities> of_priority_{}; // bits of the inputs of each priority
  std::vector<std::uint64_t> passed_;                   // number of bytes from each of its sources
  std::uint32_t waiting_ = 0;                           // bits of the inputs with a word
  bool granted_ = false;                                // TraceGrant::words: within a hold; message: within a message
  std::uint32_t last_;
  std::uint16_t last_source_ = 0;
  std::int64_t held_words_ = 0;
  Time held_since_;
  WordQueue out_;
};

} // namespace hypermon
