// SPDX-License-Identifier: BSD-3-Clause
// Text of a parameter, as program.arguments, as the words that a POSIX shell would make of it (quotes and backslashes;
// nothing is expanded).
#pragma once
#include <string>
#include <vector>

namespace hypermon {

/// Throws UserError, which names the parameter, if a quote is not closed.
std::vector<std::string> words_of(const std::string& parameter, const std::string& text);

} // namespace hypermon
