// SPDX-License-Identifier: BSD-3-Clause
// Text of a profile in TAU's format: profile.<node>.<context>.<thread>, which pprof and ParaProf read
// (docs/design/tau.md has the format). Times are in microseconds with 16 digits.
#pragma once
#include "sw/monitors/tau/core/profile.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hypermon::tau {

/// Names and values.
using Metadata = std::vector<std::pair<std::string, std::string>>;

std::string profile_text(const std::vector<Line>& lines, const Metadata& metadata);

/// Invalid profile: "line 3: ...".
class ProfileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parses the lines of a profile that profile_text() wrote. Throws ProfileError.
std::vector<Line> parse_profile(std::string_view text);

} // namespace hypermon::tau
