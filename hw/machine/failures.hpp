// SPDX-License-Identifier: BSD-3-Clause
// Who dies when and for how long, as a parameter says it: "10 mon 3 2; 20.5 supermon 1 5".
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hypermon {

/// Somebody who can die.
struct Mortal {
  std::string word;   ///< that the text calls it
  std::string plural; ///< "supermons"
  std::int64_t count = 0;
  std::string busy{}; ///< with this program: it cannot die; empty: with none
};

/// A date and a duration in s, as users write when somebody is down. `refuse(why)` throws.
struct Downtime {
  Time begin;
  Time end;
  static Downtime of(double begin, double duration, const std::function<void(const std::string& why)>& refuse);
};

struct Failure {
  std::string text; ///< as its user has written it
  std::size_t kind; ///< among those who can die
  std::uint32_t number;
  Time begin;
  Time end;
};

/// In the order of the text: dates and durations in s. Throws UserError with `path` if it cannot be read, or names
/// somebody who is not there or cannot die.
std::vector<Failure> failures_of(const std::string& path, const std::string& text, const std::vector<Mortal>& mortals);

} // namespace hypermon
