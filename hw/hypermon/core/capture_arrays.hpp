// SPDX-License-Identifier: BSD-3-Clause
// The capture board alone, driven by arrays of strobes until nothing is left inside.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/closed_form.hpp"
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/frame_rows.hpp"
#include "hw/hypermon/core/strobe_arrays.hpp"
#include <optional>

namespace hypermon {

/// Counts and delivers exactly what a CaptureBoard with its built-in reader does. Uses the closed form if the design
/// has one.
class ArrayCapture {
public:
  ArrayCapture(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader);
  ArrayCapture(const ArrayCapture&) = delete;
  ArrayCapture& operator=(const ArrayCapture&) = delete;

  /// Adds strobes after those of earlier calls. `rows` receives the frames that are read, in order; if null, they are
  /// only counted. All calls must pass the same `rows`. Throws BadStrobe with the strobe's number over all calls.
  void add(const StrobeArrays& strobes, FrameRows* rows);
  /// Number of rows that later strobes cannot change.
  std::size_t complete_rows(const FrameRows& rows) const;
  /// Ends the run after the last strobe. All rows are complete then.
  Counts finish(FrameRows* rows);

private:
  void add_in_closed_form(const StrobeArrays& strobes, FrameRows* rows);
  void add_to_board(const StrobeArrays& strobes, FrameRows* rows);

  /// Receives the frames that the board's reader has read.
  struct Taken final : FrameSink {
    FrameRows* rows = nullptr;
    void frames(std::span<const DeliveredFrame> frames) override {
      if (rows == nullptr) return;
      for (const DeliveredFrame& frame : frames) rows->push(frame);
    }
    void stretch(const Stretch& stretch) override {
      if (rows != nullptr) frames(stretch.frames());
    }
  };

  StrobeLimits limits_;
  StrobeLimits::Before before_;
  std::optional<ClosedForm> closed_form_;
  std::optional<CaptureBoard> board_; // used if there is no closed form
  Taken taken_;
};

/// ArrayCapture for strobes that are in memory at once.
Counts capture_arrays(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
                      const StrobeArrays& strobes, FrameRows* rows);

} // namespace hypermon
