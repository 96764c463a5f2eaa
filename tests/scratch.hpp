// SPDX-License-Identifier: BSD-3-Clause
// Paths for files of a test. The test cases of a program run in several processes at once.
#pragma once
#include <filesystem>
#include <string>
#include <unistd.h>

namespace hypermon::testing {

/// A path of this process in the folder for temporary files. `name` begins the file's name.
inline std::filesystem::path scratch_path(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("hypermon_" + name + "_" + std::to_string(::getpid()));
}

} // namespace hypermon::testing
