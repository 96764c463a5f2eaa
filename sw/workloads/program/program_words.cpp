// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/program/program_words.hpp"
#include "base/user_error.hpp"

#include <string_view>

namespace hypermon {

std::vector<std::string> words_of(const std::string& parameter, const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < text.size() &&
                         (quote == 0 || std::string_view("\"\\$`").find(text[i + 1]) != std::string_view::npos);
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (escapes)
      words.back() += text[++i];
    else if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else
      words.back() += c;
  }
  if (quote != 0) throw UserError(parameter + " = " + text + ": a quote is not closed");
  return words;
}

} // namespace hypermon
