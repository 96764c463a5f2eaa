// Paths of parameters: ecb.window_ns of all boards, ecb[2].window_ns of one.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace hypermon {

/// A path that names a board.
struct BoardPath {
  std::string section; ///< ecb
  std::size_t board;   ///< 2
  std::string common;  ///< ecb.window_ns: the same parameter of all boards
};

/// Nothing if the path names no board. Boards are decimal numbers from 0 on, without leading zeros.
std::optional<BoardPath> board_path(const std::string& path);

} // namespace hypermon
