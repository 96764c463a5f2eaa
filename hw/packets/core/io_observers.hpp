// SPDX-License-Identifier: BSD-3-Clause
// The observers of collective calls and file systems. Usually there are none, and reporting then costs one check.
#pragma once
#include "hw/packets/core/io_observer.hpp"

#include <vector>

namespace hypermon {

class IoObservers {
public:
  /// Called before the ranks start. The observer must outlive this object.
  void add(IoObserver& observer) { all_.push_back(&observer); }
  bool empty() const { return all_.empty(); }
  /// A new id at each call, for operations that only observers relate.
  OperationId number() const { return {1ULL << 63U | ++given_}; }
  /// Calls notify(observer) for each observer, in the order of registration.
  template <class Notify> void notify(Notify&& notify) const {
    for (IoObserver* observer : all_) notify(*observer);
  }

private:
  std::vector<IoObserver*> all_;
  mutable std::uint64_t given_ = 0;
};

} // namespace hypermon
