// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace hypermon {

/// A name for a cell of CSV, to be put between quotes unless it contains neither quotes nor commas. An apostrophe in
/// front keeps spreadsheets from reading it as a formula. Control characters become escapes (as in Python's
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
