// SPDX-License-Identifier: BSD-3-Clause
#include "hw/funnel/core/funnel_node.hpp"

#include <bit>

namespace hypermon {
namespace {

constexpr std::uint32_t bit(std::size_t input) { return std::uint32_t{1} << input; }

template <class F> void for_each_input(std::uint32_t bits, F&& f) {
  for (; bits != 0; bits &= bits - 1) f(static_cast<std::size_t>(std::countr_zero(bits)));
}

} // namespace

FunnelNode::FunnelNode(const TraceLinkParams& link, Time clock, std::vector<Input> inputs, const Sources& sources,
                       const TraceFlush& flush)
    : whole_messages_(link.grant == TraceGrant::message), hold_(link.hold),
      hold_counts_cycles_(link.hold_counts == HoldCounts::cycles),
      partial_at_flush_(link.partial == PartialWords::at_flush && sources.per_input == 1),
      word_bytes_(static_cast<std::uint8_t>(link.width_bits / 8)), clock_(clock), inputs_(std::move(inputs)),
      sources_(sources), flush_(flush), passed_(sources.count),
      last_(static_cast<std::uint32_t>(inputs_.size()) - 1), // so that input 0 is the first
      out_(link.fifo_words) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    inputs_[i].words->told_to(waiting_, i);
    of_priority_[static_cast<std::size_t>(inputs_[i].priority)] |= bit(i);
  }
}

bool FunnelNode::at_edge(Time edge) {
  const bool room = out_.had_room(edge);
  const bool gives_up = granted_ && !whole_messages_ && (waiting_ & bit(last_)) == 0; // the granted input has no word
  if (gives_up) granted_ = false;
  if (!room || waiting_ == 0) return gives_up;
  const std::uint32_t to_flush = flushed();
  const std::optional<std::uint32_t> input = choose(edge, may_go(to_flush), to_flush);
  if (!input) return gives_up;
  const TraceWord word = inputs_[*input].words->take(edge);
  last_ = *input;
  last_source_ = word.source;
  granted_ = !whole_messages_ || !word.ends_message;
  passed_[word.source - sources_.first] += word.bytes;
  out_.put(word);
  return true;
}

/// Bits of the inputs whose waiting word has bytes that are being flushed.
std::uint32_t FunnelNode::flushed() const {
  if (flush_.everything) return waiting_;
  if (!flush_.active) return 0;
  std::uint32_t inputs = 0;
  for_each_input(waiting_, [&](std::size_t input) {
    const std::size_t end = std::min((input + 1) * sources_.per_input, sources_.count);
    for (std::size_t i = input * sources_.per_input; i < end; ++i)
      if (passed_[i] < flush_.marks[sources_.first + i]) inputs |= bit(input);
  });
  return inputs;
}

std::uint32_t FunnelNode::may_go(std::uint32_t flushed) const {
  std::uint32_t inputs = waiting_;
  if (partial_at_flush_)
    for_each_input(waiting_ & ~flushed, [&](std::size_t input) {
      const TraceWord& word = inputs_[input].words->front();
      if (word.bytes < word_bytes_ && !word.ends_message) inputs &= ~bit(input);
    });
  return inputs;
}

std::optional<std::uint32_t> FunnelNode::choose(Time edge, std::uint32_t may_go, std::uint32_t flushed) {
  if (may_go == 0) return std::nullopt;
  const bool same = (may_go & bit(last_)) != 0;
  if (whole_messages_) {
    if (!granted_) return next_in_turn(may_go);
    return same ? std::optional(last_) : std::nullopt;
  }
  const std::int64_t held = hold_counts_cycles_ ? (edge - held_since_) / clock_ : held_words_;
  if (granted_ && same && held < hold_ && inputs_[last_].words->front().source == last_source_) {
    ++held_words_;
    return last_;
  }
  std::uint32_t candidates = flushed != 0 ? flushed : may_go;
  for (const std::uint32_t these : of_priority_)
    if ((candidates & these) != 0) {
      candidates &= these;
      break;
    }
  held_words_ = 1;
  held_since_ = edge;
  return next_in_turn(candidates);
}

std::uint32_t FunnelNode::next_in_turn(std::uint32_t candidates) const {
  const std::uint32_t after = candidates & ~std::uint32_t{0} << last_ << 1;
  return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : candidates));
}

} // namespace hypermon
