// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

namespace hypermon {

/// Formats a number as a user would write it: at most 6 decimals, no trailing zeros.
inline std::string plain_number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  return text.ends_with('.') ? text + "0" : text;
}

} // namespace hypermon
