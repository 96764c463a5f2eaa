// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace hypermon {

/// A name for a cell of CSV, to stand between quotes or, if it has neither quotes nor commas, alone. No spreadsheet
/// takes it for a formula: an apostrophe stands before it then. Control characters are escapes (as in Python's
/// _files/csvfile).
inline std::string csv_text(std::string_view name) {
  const std::size_t begin = name.find_first_not_of('\'');
  std::string text(begin != std::string_view::npos && name.find_first_of("=+-@\t\n") == begin ? "'" : "");
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\t' && c != '\n') || code == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", code);
      text += escape;
    } else {
      text += c == '"' ? "\"\"" : std::string(1, c);
    }
  }
  return text;
}

} // namespace hypermon
