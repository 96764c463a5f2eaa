// Parameters that the boards of one machine may have each for itself.
#pragma once
#include <cstddef>
#include <map>

namespace hypermon {

/// The parameters of a part of which each board has one: the members are those of all boards (path ecb.window_ns),
/// `differing` holds, complete, those of the boards that differ (path ecb[2].window_ns).
template <class Params> struct PerBoard : Params {
  std::map<std::size_t, Params> differing;

  const Params& of(std::size_t board) const {
    const auto found = differing.find(board);
    return found == differing.end() ? *this : found->second;
  }
  /// The board's own parameters, to change; at first those of all boards.
  Params& own(std::size_t board) {
    return differing.try_emplace(board, static_cast<const Params&>(*this)).first->second;
  }
};

} // namespace hypermon
