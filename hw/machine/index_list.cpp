// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/index_list.hpp"
#include "base/user_error.hpp"

#include <charconv>
#include <optional>
#include <sstream>

namespace hypermon {
namespace {

std::optional<std::int64_t> number(const std::string& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

} // namespace

std::vector<std::uint32_t> index_list(const std::string& path, const std::string& text, std::int64_t count,
                                      const std::string& what) {
  const auto refuse = [&] {
    throw UserError(path + " = \"" + text + "\": must be " + what + " from 0 to " + std::to_string(count - 1) +
                    ", like 0,4-7");
  };
  std::vector<std::uint32_t> found;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto dash = part.find('-');
    const auto first = number(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= count) refuse();
    for (std::int64_t i = *first; i <= *last; ++i) found.push_back(static_cast<std::uint32_t>(i));
  }
  if (found.empty() || text.ends_with(',')) refuse();
  return found;
}

std::vector<std::uint32_t> all_or_index_list(const std::string& path, const std::string& text, std::int64_t count,
                                             const std::string& what) {
  const auto named =
      index_list(path, text == "all" ? "0-" + std::to_string(count - 1) : text, count, "all, or " + what);
  std::vector<std::uint32_t> found;
  std::vector<bool> is_found(static_cast<std::size_t>(count));
  for (const std::uint32_t number : named) {
    if (!is_found[number]) found.push_back(number);
    is_found[number] = true;
  }
  return found;
}

} // namespace hypermon
