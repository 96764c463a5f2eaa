// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdlib>
#include <string>

namespace hypermon {

/// The path with the user's home folder for a `~` at its beginning: specifications name files there so
/// (python/hypermon/_files/files.py), since results that are handed on need not tell the user's name.
inline std::string expanded_home(const std::string& path) {
  if (!path.starts_with("~/")) return path;
  const char* home = std::getenv("HOME");
  return home == nullptr ? path : home + path.substr(1);
}

} // namespace hypermon
