// SPDX-License-Identifier: BSD-3-Clause
// When a process of a monitor is to die, and for how long.
#pragma once
#include "hw/machine/failures.hpp"
#include "hw/machine/site.hpp"

#include <functional>
#include <vector>

namespace hypermon {

class Deaths {
public:
  Deaths() = default;
  /// Those failures that `hits` the process. With a failure of the kind `node` its computer goes, which tells nobody.
  Deaths(const std::vector<Failure>& failures, const std::function<bool(const Failure&)>& hits, std::size_t node);

  /// never(): it does not die any more.
  Time next() const { return next_ < all_.size() ? all_[next_].begin : Time::never(); }
  /// Of the next one.
  Time end() const { return all_[next_].end; }
  Closed how() const { return all_[next_].how; }
  /// It is dead, and would be until `end`: who is to die while dead stays so for longer. Until when, with these done.
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
