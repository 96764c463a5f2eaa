// SPDX-License-Identifier: BSD-3-Clause
// One FIFO for each input. If a full FIFO stalls, the input's write is held until there is room.
#pragma once
#include "base/fifo.hpp"
#include "hw/hypermon/core/strobe_inputs.hpp"

namespace hypermon {

template <class Word, class Words = Ring<Word>> class SourceFifos {
public:
  using OneFifo = Fifo<Word, Words>;
  /// `items` are passed to the constructor of each FIFO's queue.
  template <class... Items>
  SourceFifos(StrobeInputs& inputs, std::int64_t depth, WhenFull policy, const Items&... items) : inputs_(inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) fifos_.emplace_back(depth, policy, Words(items...));
  }

  OneFifo& operator[](std::size_t i) { return fifos_[i]; }
  const OneFifo& operator[](std::size_t i) const { return fifos_[i]; }

  enum class Answer : std::uint8_t { enters, held, lost };
  /// Decides the fate of the earliest strobe. A held strobe is not returned again by the inputs.
  Answer ask(StrobeInputs::Input& in) {
    const OneFifo& fifo = fifos_[in.index];
    if (!fifo.full()) return Answer::enters;
    if (fifo.policy() != WhenFull::stall) return Answer::lost;
    ++held_;
    inputs_.hold(in);
    return Answer::held;
  }
  std::size_t held() const { return held_; }
  /// Performs the held writes whose FIFO has room after this edge: enter(input) puts their word into it.
  template <class F> void release_held(Time edge, F&& enter) {
    for (std::size_t i = 0; i < fifos_.size() && held_ > 0; ++i) {
      if (!inputs_[i].held || fifos_[i].full()) continue;
      --held_;
      enter(inputs_[i]);
      inputs_.release(inputs_[i], edge);
    }
  }

private:
  StrobeInputs& inputs_;
  std::vector<OneFifo> fifos_;
  std::size_t held_ = 0;
};

} // namespace hypermon
