// SPDX-License-Identifier: BSD-3-Clause
// One funnel of the tree: at an edge at most one word goes from one of its inputs to its output.
#pragma once
#include "base/time.hpp"
#include "hw/funnel/core/params.hpp"
#include "hw/funnel/core/word_queue.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

/// What is flushed at the moment.
struct TraceFlush {
  bool everything = false; ///< at the end
  bool active = false;
  std::vector<std::uint64_t> marks; ///< by source: its bytes up to here are flushed, while it is active
};

class FunnelNode {
public:
  /// An input: where its words wait, and the best priority of its sources.
  struct Input {
    WordQueue* words;
    std::int64_t priority;
  };
  /// Which sources' words come: `count` of them from `first` on, `per_input` by each input; 1: the inputs are links.
  struct Sources {
    std::size_t first, count, per_input;
  };
  FunnelNode(const TraceLinkParams& link, Time clock, std::vector<Input> inputs, const Sources& sources,
             const TraceFlush& flush);
  FunnelNode(const FunnelNode&) = delete;

  /// Its part in an edge, after that of whoever takes from out(). Is anything other than before?
  bool at_edge(Time edge);

  WordQueue& out() { return out_; }
  const WordQueue& out() const { return out_; }
  /// The input that it serves; -1: none.
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
  std::array<std::uint32_t, priorities> of_priority_{}; // inputs of each
  std::vector<std::uint64_t> passed_;                   // bytes of each of its sources
  std::uint32_t waiting_ = 0;                           // inputs with a word
  bool granted_ = false;                                // words: within a hold; message: within a message
  std::uint32_t last_;
  std::uint16_t last_source_ = 0;
  std::int64_t held_words_ = 0;
  Time held_since_;
  WordQueue out_;
};

} // namespace hypermon
