// SPDX-License-Identifier: BSD-3-Clause
// A profile as TAU writes it: profile.<node>.<context>.<thread>, as pprof and ParaProf read it (docs/design/tau.md has
// the format). Times are microseconds there, with 16 digits.
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

/// What is no profile: "line 3: ...".
class ProfileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The lines of a profile that profile_text() wrote. Throws ProfileError.
std::vector<Line> parse_profile(std::string_view text);

} // namespace hypermon::tau
