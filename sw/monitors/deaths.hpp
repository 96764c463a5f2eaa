// SPDX-License-Identifier: BSD-3-Clause
// The times at which a process of a monitor dies, and for how long.
#pragma once
#include "hw/machine/failures.hpp"
#include "hw/machine/site.hpp"

#include <functional>
#include <vector>

namespace hypermon {

class Deaths {
public:
  Deaths() = default;
  /// Selects the failures for which `hits` is true. After a failure of the kind `node` the peers get no reset, because
  /// the process's computer stops as well.
  Deaths(const std::vector<Failure>& failures, const std::function<bool(const Failure&)>& hits, std::size_t node);

  /// Begin of the next death; never(): there is none.
  Time next() const { return next_ < all_.size() ? all_[next_].begin : Time::never(); }
  /// End of the next death.
  Time end() const { return all_[next_].end; }
  Closed how() const { return all_[next_].how; }
  /// The process is dead until `end`. Deaths that begin in that time prolong it and count as done. Returns the final
  /// end.
  Time dead_until(Time end);

private:
  struct Death {
    Time begin;
    Time end;
    Closed how;
  };

  std::vector<Death> all_; // by begin
  std::size_t next_ = 0;
};

} // namespace hypermon
