// SPDX-License-Identifier: BSD-3-Clause
// Paths of parameters: disk.seek_ms for all disks, disk[2].seek_ms for one of them.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace hypermon {

/// A path that names one instance of several.
struct NumberedPath {
  std::string section; ///< disk
  std::size_t number;  ///< 2
  std::string common;  ///< disk.seek_ms: the same parameter of all instances
};

/// Empty if the path names no instance. Numbers are decimal, from 0 on, without leading zeros.
std::optional<NumberedPath> numbered_path(const std::string& path);

} // namespace hypermon
