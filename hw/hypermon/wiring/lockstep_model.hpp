// SPDX-License-Identifier: BSD-3-Clause
// hypermon's functional model beside one of the user's boards (ecb.lockstep). Both receive the same strobes. The model
// has its own reader and drain program and never affects the board.
#pragma once
#include "base/spec.hpp"
#include "hw/hypermon/core/board_comparison.hpp"
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include <memory>

namespace hypermon {

class LockstepModel : private FrameSink {
public:
  /// `nodes`: number of nodes that are connected to the board. `event_types`: as in OwnBoardChain.
  LockstepModel(const Spec& spec, std::size_t board, std::size_t nodes, std::size_t event_types);
  LockstepModel(const LockstepModel&) = delete;
  LockstepModel& operator=(const LockstepModel&) = delete;

  CaptureBoard& model() { return model_; }
  BoardComparison& comparison() { return comparison_; }
  const BoardComparison& comparison() const { return comparison_; }
  /// Called for each loss of the model, and for each frame that its drain program has read and kept. For waves, which
  /// may advance the model with follow().
  void on_model_loss(std::function<void(const Loss&)> f) { model_loss_ = std::move(f); }
  void on_model_frame(std::function<void(const DeliveredFrame&)> f) { model_frame_ = std::move(f); }
  /// Advances the model only. Comparisons do not depend on it. All strobes before `horizon` have been delivered.
  void follow(Time horizon);
  /// A later difference is in no window that began before this time, if the board has no more data than the model.
  Time open_since(Time now) const;

  /// A strobe that the board receives now.
  void strobe(std::uint32_t input, Time at, std::uint32_t datum, bool flagged);
  /// A frame that the board's drain program has read and kept.
  void frame_read(const EventFrame& frame, Time end);
  /// A lost word of the board; `last`: number of its last strobe. No cause: not reported.
  void lost(std::uint32_t input, std::uint64_t last, std::optional<LossCause> cause, Time at);
  /// The board is empty at `now`, and no strobe follows.
  void finish(Time now);

private:
  void frames(std::span<const DeliveredFrame> frames) override;
  void stretch(const Stretch& stretch) override;
  void advance(Time now);
  void pass_on();

  CaptureBoard model_;
  std::unique_ptr<DrainProgram> program_; // null if no action of the program takes time or can fail
  BoardComparison comparison_;
  std::uint64_t data_per_word_;
  std::function<void(const Loss&)> model_loss_;
  std::function<void(const DeliveredFrame&)> model_frame_;
  std::vector<Loss> losses_; // losses not yet passed on to the comparison; likewise the frames
  std::vector<DeliveredFrame> frames_;
};

} // namespace hypermon
