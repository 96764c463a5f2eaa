// SPDX-License-Identifier: BSD-3-Clause
// Distance between a word that a user wrote and a valid one, for "did you mean".
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

/// Least number of letters to insert, omit and change.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1] ? 1 : 0)});
      diagonal = above;
    }
  }
  return row.back();
}

/// The nearest word, the first one if several are equally near; empty if `words` is empty.
inline std::string nearest_word(std::string_view word, const std::vector<std::string>& words) {
  const auto found = std::min_element(words.begin(), words.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(word, a) < edit_distance(word, b);
  });
  return found == words.end() ? std::string() : *found;
}

} // namespace hypermon
