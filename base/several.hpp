// SPDX-License-Identifier: BSD-3-Clause
// Parameters of components of which a machine may have several: networks, competitors, boards.
#pragma once
#include <cstddef>
#include <map>

namespace hypermon {

/// The members are the common parameters (path disk.seek_ms). `differing` has complete parameters for the instances
/// that differ, by number from 0 on (path disk[2].seek_ms).
template <class Params> struct Several : Params {
  std::map<std::size_t, Params> differing;

  const Params& instance(std::size_t number) const {
    const auto found = differing.find(number);
    return found == differing.end() ? *this : found->second;
  }
  /// The parameters of one instance, for changes; initially the common ones.
  Params& own(std::size_t number) {
    return differing.try_emplace(number, static_cast<const Params&>(*this)).first->second;
  }
};

} // namespace hypermon
