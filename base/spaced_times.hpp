// SPDX-License-Identifier: BSD-3-Clause
// A first-in-first-out queue of increasing times. A run of equally spaced times takes the memory of one entry.
#pragma once
#include "base/queues.hpp"
#include "base/time.hpp"
#include <cstddef>
#include <cstdint>

namespace hypermon {

class SpacedTimes {
public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Time front() const { return runs_.front().first; }
  void push(Time time) {
    ++size_;
    if (!runs_.empty()) {
      Run& run = runs_.newest();
      const Time spacing = time - run.last;
      if (run.more == 0 || spacing == run.spacing) {
        run.spacing = spacing;
        run.last = time;
        ++run.more;
        return;
      }
    }
    runs_.push({time, time, Time{}, 0});
  }
  void pop() {
    --size_;
    Run& run = runs_[0];
    if (run.more == 0) return runs_.pop();
    run.first += run.spacing;
    --run.more;
  }

private:
  struct Run {
    Time first;
    Time last;
    Time spacing; // meaningful if `more` is not 0
    std::uint64_t more;
  };
  Ring<Run> runs_;
  std::size_t size_ = 0;
};

} // namespace hypermon
