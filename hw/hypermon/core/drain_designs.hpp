// SPDX-License-Identifier: BSD-3-Clause
// Many frame FIFOs with ideal readers over one stream of frames (spec sec. 3). The designs differ in depth and
// bandwidth; a full FIFO drops the newest frame.
//
// A design behaves like one with an unlimited FIFO until a push finds it full, and again once both have read all their
// frames. So one unlimited FIFO is simulated for each speed, and a design only while it differs. Designs of one speed
// that are equally far from full make the same decisions whatever their depths, as long as none of them is idle: in an
// overload, where all are full, only one of them is simulated.
#pragma once
#include "hw/hypermon/core/frame_drain.hpp"
#include "hw/hypermon/core/unlimited_drains.hpp"
#include <utility>

namespace hypermon {

struct DrainDesign {
  std::int64_t depth;       ///< frames
  std::int64_t frame_edges; ///< clock edges of reading a frame, from Reader::read_time()
};

class DrainDesigns {
public:
  /// `lanes`: Lanes::number, or as many as the processor has.
  explicit DrainDesigns(std::span<const DrainDesign> designs, std::size_t lanes = lanes_here());

  /// Edges increase by at least two (ecb.builder_cycles >= 2). `count_data` is called once, before the data in `pushes`
  /// are read, and only if frames may be lost.
  template <class F> void push(std::span<const FramePush> pushes, F&& count_data) {
    for (bool counted = false; !pushes.empty();) {
      PushBlock block(pushes, last_edge_, designs_.size() > 1);
      if (!push(block)) {
        if (!std::exchange(counted, true)) count_data();
        block.take_words();
        follow_differing(block);
      }
      frames_ += block.size();
      last_edge_ = block.last_edge();
      pushes = pushes.subspan(block.size());
    }
  }
  void push(std::span<const FramePush> pushes) {
    push(pushes, [] {});
  }
  /// Counts once all pushed frames have been read.
  DrainCounts counts(std::size_t design) const;

private:
  struct Step { // changes of a design's state over a block of pushes
    std::int64_t backlog;
    std::int64_t least = PushBlock::lane_limit; // least backlog that a push found
    std::uint64_t frames_lost = 0;
    std::uint64_t words_lost = 0;
  };
  struct Design {
    std::size_t speed; // number of its unlimited drain
    std::int64_t depth;
    std::int64_t limit;       // a push that finds this backlog finds the FIFO full
    bool unlimited = true;    // true if its backlog is that of the unlimited drain
    std::int64_t backlog = 0; // used if not unlimited
    std::uint64_t frames_lost = 0;
    std::uint64_t words_lost = 0;
    std::int64_t first_overrun = 0;
    Step step{};
  };
  bool push(const PushBlock& block);
  void follow_differing(const PushBlock& block);
  void follow(const PushBlock& block, std::span<Design* const> designs);
  void follow_in_lanes(const PushBlock& block, std::span<Design* const> designs);
  void follow_in_wide_lanes(const PushBlock& block, std::span<Design* const> designs);
  template <class L> void follow_in(const PushBlock& block, std::span<Design* const> designs);
  void follow_alone(const PushBlock& block, Design& design) const;
  void settle(const PushBlock& block, Design& design) const;
  std::int64_t frame_edges(const Design& d) const { return speeds_.frame_edges(d.speed); }

  UnlimitedDrains speeds_;
  std::vector<Design> designs_;
  std::vector<std::size_t> order_; // indices of designs: by speed, the deepest first
  std::vector<std::size_t> ends_;  // end of each speed's designs in order_
  std::size_t lanes_;
  std::uint64_t frames_ = 0;
  std::int64_t last_edge_ = -PushBlock::lane_limit;

  // State of the current block:
  std::vector<std::int64_t> backlogs_before_; // backlogs of the speeds
  std::vector<Design*> differing_;
  std::vector<Design*> leaders_; // leaders among the designs of one speed
  std::vector<Design*> followed_;
  struct Alike {
    Design* design;
    const Design* leader; // a design that is at least as deep
  };
  std::vector<Alike> alike_; // designs that were as far from full as their leaders before the block
};

} // namespace hypermon
