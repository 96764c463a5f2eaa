// SPDX-License-Identifier: BSD-3-Clause
// The front of a capture board (spec sec. 2: strobes, windows, builder) without what comes after it: from bursts to the
// frames that are pushed into the frame FIFO. Where that drops frames, no front depends on its depth or reader, so one
// serves all designs that differ in these.
#pragma once
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/frame_push.hpp"
#include "hw/hypermon/core/params.hpp"
#include <functional>
#include <memory>
#include <span>

namespace hypermon {

class FramePushes {
public:
  /// Takes the pushes in the order of their edges, some at a time. No two are closer than ecb.builder_cycles.
  using Sink = std::function<void(std::span<const FramePush>)>;

  /// Is what reaches the frame FIFO all that its drain depends on? Not where a full FIFO stalls, nor where the words of
  /// a frame depend on flagged data (timestamps on request).
  static bool covers(const EcbParams& ecb);
  /// Times of the sink's edges are those of the board's clock; the board was reset `reset_earlier_by` before time 0.
  static std::unique_ptr<FramePushes> of(const PortParams& port, const EcbParams& ecb, Time reset_earlier_by,
                                         Sink sink);

  FramePushes() = default;
  FramePushes(const FramePushes&) = delete;
  FramePushes& operator=(const FramePushes&) = delete;
  virtual ~FramePushes() = default;
  /// In the order of their first strobes; those of an input do not overlap.
  virtual void write(const Burst& burst) = 0;
  /// CaptureBoard::program_ends(); before any burst that begins later.
  virtual void program_ends(Time /*at*/) {}
  virtual void finish() = 0;
  /// How many data are in the frames that the sink is called with: if they are to be counted only on request, which
  /// they are but where a frame is lost, they are 0 before it has called this.
  virtual void count_on_request() {}
  virtual void count_data() {}
  /// After finish(), but for what the frame FIFO and its reader do.
  virtual Counts counts() const = 0;
};

} // namespace hypermon
