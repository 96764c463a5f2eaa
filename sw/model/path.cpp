#include "sw/model/path.hpp"

#include <charconv>

namespace hypermon {

std::optional<BoardPath> board_path(const std::string& path) {
  const auto open = path.find('[');
  const auto close = path.find("].", open);
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  const char* const digits = path.data() + open + 1;
  const char* const end = path.data() + close;
  std::size_t board = 0;
  const auto [read_to, problem] = std::from_chars(digits, end, board);
  if (problem == std::errc::result_out_of_range)
    board = static_cast<std::size_t>(-1); // a number; no machine has as many
  else if (problem != std::errc() || (*digits == '0' && end - digits > 1))
    return std::nullopt;
  if (read_to != end) return std::nullopt;
  const std::string section = path.substr(0, open);
  return BoardPath{section, board, section + path.substr(close + 1)};
}

} // namespace hypermon
