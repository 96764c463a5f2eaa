// SPDX-License-Identifier: BSD-3-Clause
// Elements of waveforms: named signals and their changes.
#pragma once
#include "base/time.hpp"
#include <cstdint>
#include <string>
#include <vector>

namespace hypermon {

struct Signal {
  enum class Kind : std::uint8_t {
    event, ///< occurs at an instant, without a value
    value, ///< a number of bits
    level, ///< a number, to be drawn as a curve
    state, ///< one of `names`
  };
  std::string path; ///< scopes and name, with dots between them
  Kind kind = Kind::value;
  unsigned bits = 1; ///< 1 to 64; of an event: 1
  std::vector<std::string> names{};
};

/// A change of a signal. A value, but not a time, that is not yet known is written as x.
struct Change {
  Time time;
  std::uint32_t signal; ///< number in the list of signals
  bool known;
  std::uint64_t value; ///< 1 for an event
  bool operator==(const Change&) const = default;
};

} // namespace hypermon
