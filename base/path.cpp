// SPDX-License-Identifier: BSD-3-Clause
#include "base/path.hpp"

#include <charconv>

namespace hypermon {

std::optional<NumberedPath> numbered_path(const std::string& path) {
  const auto open = path.find('[');
  const auto close = path.find("].", open);
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  const char* const digits = path.data() + open + 1;
  const char* const end = path.data() + close;
  std::size_t number = 0;
  const auto [read_to, problem] = std::from_chars(digits, end, number);
  if (problem == std::errc::result_out_of_range)
    number = static_cast<std::size_t>(-1); // no machine has so high a number
  else if (problem != std::errc() || (*digits == '0' && end - digits > 1))
    return std::nullopt;
  if (read_to != end) return std::nullopt;
  const std::string section = path.substr(0, open);
  return NumberedPath{section, number, section + path.substr(close + 1)};
}

} // namespace hypermon
