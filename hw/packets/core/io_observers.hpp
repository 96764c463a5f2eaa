// SPDX-License-Identifier: BSD-3-Clause
// Who observes what goes on inside collective calls and file systems: usually nobody, and then telling costs a look.
#pragma once
#include "hw/packets/core/io_observer.hpp"

#include <vector>

namespace hypermon {

class IoObservers {
public:
  /// Before the ranks start; it must live longer.
  void add(IoObserver& observer) { all_.push_back(&observer); }
  bool empty() const { return all_.empty(); }
  /// An id for what nobody but observers relates: another one at each call.
  OperationId number() const { return {1ULL << 63U | ++given_}; }
  /// Calls tell(observer) of each, in the order in which they came.
  template <class Tell> void tell(Tell&& tell) const {
    for (IoObserver* observer : all_) tell(*observer);
  }

private:
  std::vector<IoObserver*> all_;
  mutable std::uint64_t given_ = 0;
};

} // namespace hypermon
