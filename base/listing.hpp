// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>
#include <string_view>

namespace hypermon {

/// Appends a word to a list as messages show it: "a, b, c".
inline void add_to_list(std::string& list, std::string_view word) {
  if (!list.empty()) list += ", ";
  list += word;
}

} // namespace hypermon
