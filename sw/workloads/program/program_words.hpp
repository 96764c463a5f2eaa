// SPDX-License-Identifier: BSD-3-Clause
// Splits the text of a parameter, such as program.arguments, into words as a POSIX shell does (quotes and backslashes;
// nothing is expanded).
#pragma once
#include <string>
#include <vector>

namespace hypermon {

/// Throws UserError, which names the parameter, if a quote is not closed.
std::vector<std::string> words_of(const std::string& parameter, const std::string& text);

} // namespace hypermon
