// SPDX-License-Identifier: BSD-3-Clause
// Frame FIFOs of several depths with equal readers over one stream of frames. Until a push finds it full, each FIFO
// behaves like an unlimited one. So one unlimited FIFO is simulated for all of them, and each FIFO by itself only from
// its first loss on.
#pragma once
#include "hw/hypermon/core/frame_drain.hpp"
#include <limits>
#include <span>
#include <vector>

namespace hypermon {

class FrameDrains {
public:
  FrameDrains(WhenFull policy, const Reader& reader, std::int64_t frame_edges)
      : policy_(policy), reader_(reader), frame_edges_(frame_edges), unlimited_(no_limit, policy, reader, frame_edges) {
  }

  bool alike(WhenFull policy, const Reader& reader, std::int64_t frame_edges) const {
    return policy == policy_ && frame_edges == frame_edges_ && reader == reader_;
  }
  /// Adds a FIFO; only before the first push. Returns its number, which counts() takes.
  std::size_t add(std::int64_t depth) {
    depths_.push_back(depth);
    losing_.push_back(none);
    lossless_.push_back(depths_.size() - 1);
    std::ranges::stable_sort(lossless_, std::greater(), [this](std::size_t i) { return depths_[i]; });
    return depths_.size() - 1;
  }

  /// The edges of the pushes increase.
  void push(std::span<const FramePush> pushes) {
    for (FrameDrain& drain : drains_)
      for (const FramePush& p : pushes) drain.push(p, nobody);
    for (std::size_t i = 0; i < pushes.size() && !lossless_.empty(); ++i) {
      const std::uint64_t found = unlimited_.found_at(pushes[i].edge, nobody);
      while (!lossless_.empty() && found >= static_cast<std::uint64_t>(depths_[lossless_.back()])) {
        const std::size_t shallowest = lossless_.back();
        lossless_.pop_back();
        losing_[shallowest] = drains_.size();
        drains_.push_back(unlimited_.with_depth(depths_[shallowest]));
        for (const FramePush& p : pushes.subspan(i)) drains_.back().push(p, nobody);
      }
      unlimited_.push(pushes[i], nobody);
    }
  }
  /// Runs until all frames have been read.
  void finish() {
    for (FrameDrain& drain : drains_) drain.finish(nobody);
    unlimited_.finish(nobody);
  }
  DrainCounts counts(std::size_t fifo) const {
    return losing_[fifo] == none ? unlimited_.counts() : drains_[losing_[fifo]].counts();
  }

private:
  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr auto nobody = [](std::int64_t, std::size_t) {}; // its own type, so that calls can be inlined

  WhenFull policy_;
  Reader reader_;
  std::int64_t frame_edges_;
  FrameDrain unlimited_;
  std::vector<std::int64_t> depths_;
  std::vector<std::size_t> lossless_; // numbers of FIFOs without loss, the shallowest last
  std::vector<std::size_t> losing_;   // by number of the FIFO: its index in drains_
  std::vector<FrameDrain> drains_;
};

} // namespace hypermon
