// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/lockstep_model.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include <array>

namespace hypermon {

LockstepModel::LockstepModel(const Spec& spec, std::size_t board, std::size_t nodes, std::size_t event_types)
    : model_(spec.get<PortParams>(), ecb_of(spec, board), spec.get<PbxParams>(), spec.get<ReaderParams>()),
      program_(drain_program_of(spec, model_.format(), nodes, event_types)),
      comparison_(spec.get<PortParams>(), ecb_of(spec, board), spec.get<EcbSection>().lockstep_times),
      data_per_word_(static_cast<std::uint64_t>(
          data_per_word(spec.get<PortParams>().width_bits, ecb_of(spec, board).accumulate_bits))) {
  const auto& faults = spec.get<FaultParams>();
  model_.drain_through(program_.get());
  if (PbxFaults::any(faults)) model_.fail_reads(PbxFaults(faults));
  model_.reader().stop(faults.reader_stops_at_ms, faults.reader_stops_for_ms);
  model_.deliver_to(this);
  model_.on_loss([this](const Loss& loss) {
    if (model_loss_) model_loss_(loss);
    if ((loss.sequence + 1) % data_per_word_ == 0) losses_.push_back(loss);
  });
}

void LockstepModel::strobe(std::uint32_t input, Time at, std::uint32_t datum, bool flagged) {
  advance(at);
  comparison_.strobe(input, at);
  std::array<std::uint8_t, 4> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(datum >> 8 * i);
  model_.write({input, at, 0_ps, std::span(bytes).first(model_.datum_bytes()), flagged});
}

void LockstepModel::frame_read(const EventFrame& frame, Time end) {
  comparison_.actual_frame(frame, end);
  advance(end);
}

void LockstepModel::lost(std::uint32_t input, std::uint64_t last, std::optional<LossCause> cause, Time at) {
  comparison_.actual_loss(input, last, cause, at);
}

void LockstepModel::finish(Time now) {
  model_.program_ends(std::max(now, model_.horizon()));
  model_.finish();
  pass_on();
  comparison_.finish();
}

// Does not go beyond `now`, because another strobe may have that time.
void LockstepModel::advance(Time now) {
  model_.advance(now);
  pass_on();
  comparison_.advance(now);
}

void LockstepModel::follow(Time horizon) {
  if (horizon > model_.horizon()) model_.advance(horizon);
}

// The comparison gets the model's results only here, so that it finds the same differences with and without follow().
void LockstepModel::pass_on() {
  for (const Loss& loss : losses_) comparison_.expected_loss(loss.input, loss.sequence, loss.cause, loss.time);
  for (const DeliveredFrame& frame : frames_) comparison_.expected_frame(frame);
  losses_.clear();
  frames_.clear();
}

// A strobe at `now` may belong to a window that began before.
Time LockstepModel::open_since(Time now) const {
  const bool is_empty = model_.empty() && frames_.empty() && !comparison_.waits();
  return is_empty ? now - comparison_.window() : comparison_.compared_until();
}

void LockstepModel::frames(std::span<const DeliveredFrame> frames) {
  frames_.insert(frames_.end(), frames.begin(), frames.end());
  if (!model_frame_) return;
  for (const DeliveredFrame& frame : frames) model_frame_(frame);
}

void LockstepModel::stretch(const Stretch& stretch) { frames(stretch.frames()); }

} // namespace hypermon
