// Many frame FIFOs with ideal readers over one stream of frames: designs that differ in depth and bandwidth (spec sec.
// 3), full FIFOs dropping the newest frame.
//
// A design behaves as one with an unlimited FIFO until a push finds it full, and again as soon as it has read all that
// both have. So each speed is followed once, without limit, and a design only where it differs.
#pragma once
#include "hw/core/frame_drain.hpp"
#include "hw/core/unlimited_drains.hpp"

namespace hypermon {

struct DrainDesign {
  std::int64_t depth;       ///< frames
  std::int64_t frame_edges; ///< of reading a frame: edges of Reader::read_time()
};

class DrainDesigns {
public:
  explicit DrainDesigns(std::span<const DrainDesign> designs);

  /// Edges rise by at least two (ecb.builder_cycles >= 2).
  void push(std::span<const FramePush> pushes);
  /// When all that was pushed will have been read.
  DrainCounts counts(std::size_t design) const;

private:
  struct Design {
    std::size_t speed; // number of its unlimited drain
    std::int64_t depth;
    std::int64_t limit;       // a push that finds this backlog finds the FIFO full
    bool unlimited = true;    // its backlog is that of the unlimited drain
    std::int64_t backlog = 0; // else
    std::uint64_t frames_lost = 0;
    std::uint64_t words_lost = 0;
    std::int64_t first_overrun = 0;
  };
  void push(const PushBlock& block);
  void push_in_lanes(const PushBlock& block, std::span<Design*> designs);
  void push_alone(const PushBlock& block, Design& design) const;
  void lose(const PushBlock& block, Design& design, std::uint64_t frames, std::uint64_t words) const;
  std::int64_t frame_edges(const Design& d) const { return speeds_.frame_edges(d.speed); }

  UnlimitedDrains speeds_;
  std::vector<Design> designs_;
  std::vector<std::int64_t> backlogs_before_; // of the speeds, before the block
  std::uint64_t frames_ = 0;
  std::int64_t last_edge_ = -PushBlock::lane_limit;
};

} // namespace hypermon
