// Strobe-vector FIFO and frame builder (spec sec. 2), in closed form: an entry that enters at edge n_j is taken
// at p_j = max(n_j + 1, p_(j-1) + B), and its frame is built at p_j + B.
#pragma once
#include "hw/core/clock.hpp"
#include "hw/core/params.hpp"
#include "hw/core/strobe_inputs.hpp"
#include <bit>

namespace hypermon {

/// When entries are taken. The nibbles themselves need no queue: data and vectors keep step, so an entry's
/// nibbles are those that were sampled in its window. Node FIFOs are therefore levels (StrobeInputs::Input).
class FrameBuilder {
public:
  explicit FrameBuilder(const EcbParams& p)
      : cycles_(cycles(p.builder_cycles)), depth_(static_cast<std::size_t>(p.vector_fifo_entries)),
        hindered_(p.builder_cycles * clock_period.ps() > p.window_ns * 1000 || p.vector_fifo_entries < 2 ||
                  p.node_fifo_entries < 2) {}

  /// False: an entry is always taken at the next edge, so no level ever exceeds 1 and none need be kept.
  /// By induction: with B <= C, p_(j-1) + B <= n_(j-1) + 1 + C <= n_j + 1.
  bool hindered() const { return hindered_; }

  /// An entry enters at `edge`; returns the edge at which its frame is built.
  Time accept(Time edge, std::uint32_t vector) {
    const Time taken = std::max(edge + clock_period, free_);
    free_ = taken + cycles_;
    entries_.push({taken, vector});
    return free_;
  }
  Time accept_unhindered(Time edge) const { return edge + clock_period + cycles_; }

  /// The strobe-vector FIFO is full before `edge`.
  bool full_before(Time edge, StrobeInputs& inputs) {
    if (entries_.size() >= depth_) take_until(edge - 1_ps, inputs);
    return entries_.size() >= depth_;
  }
  /// Entries taken at edges up to and at `time` leave, and their nibbles leave the node FIFOs.
  void take_until(Time time, StrobeInputs& inputs) {
    for (; !entries_.empty() && entries_.front().taken <= time; entries_.pop())
      for (std::uint32_t v = entries_.front().vector; v != 0; v &= v - 1)
        --inputs[static_cast<std::size_t>(std::countr_zero(v))].level;
  }
  void reset() {
    entries_.clear();
    free_ = 0_ps;
  }

private:
  struct Entry {
    Time taken;
    std::uint32_t vector;
  };
  Time cycles_;
  std::size_t depth_;
  bool hindered_;
  Time free_; // edge at which the builder can take the next entry
  Ring<Entry> entries_;
};

} // namespace hypermon
