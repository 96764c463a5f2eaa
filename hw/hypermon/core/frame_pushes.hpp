// SPDX-License-Identifier: BSD-3-Clause
// The front of a capture board (spec sec. 2: strobes, windows, builder), from bursts to the frames that are pushed into
// the frame FIFO. Where a full frame FIFO drops frames, the front does not depend on its depth or reader. So one front
// serves all designs that differ only in these.
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
  /// Receives the pushes in batches, in the order of their edges. Two pushes are at least ecb.builder_cycles apart.
  using Sink = std::function<void(std::span<const FramePush>)>;

  /// True if the drain depends only on the pushes. It depends on more if a full FIFO stalls, or if the words of a frame
  /// depend on flagged data (timestamps on request).
  static bool covers(const EcbParams& ecb);
  /// The sink gets edges of the board's clock. The board was reset `reset_earlier_by` before time 0.
  static std::unique_ptr<FramePushes> make(const PortParams& port, const EcbParams& ecb, Time reset_earlier_by,
                                           Sink sink);

  FramePushes() = default;
  FramePushes(const FramePushes&) = delete;
  FramePushes& operator=(const FramePushes&) = delete;
  virtual ~FramePushes() = default;
  /// Bursts are passed in the order of their first strobes; those of one input must not overlap.
  virtual void write(const Burst& burst) = 0;
  /// Like CaptureBoard::program_ends(). Must precede any burst that begins later than `at`.
  virtual void program_ends(Time /*at*/) {}
  virtual void finish() = 0;
  /// After count_on_request() the sink gets frames whose number of data is 0 until it calls count_data(). The numbers
  /// are needed only where a frame is lost.
  virtual void count_on_request() {}
  virtual void count_data() {}
  /// Counts after finish(), apart from those of the frame FIFO and its reader.
  virtual Counts counts() const = 0;
};

} // namespace hypermon
