// SPDX-License-Identifier: BSD-3-Clause
// Parameters that name files (declared with file()): "/path@sha256:<64 hexadecimal digits>". The digest makes a
// specification, and everything stored under its hash, change with the file's content. Users give a path and Python
// resolves it; a file in the user's home folder becomes "~/path@sha256:...".
#pragma once
#include "base/spec.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermon {

struct FileParameter {
  std::string path; ///< absolute
  std::string sha256;
};

/// Replaces a `~` at the beginning of the path by the user's home folder.
std::string expanded_home(const std::string& path);

/// Parses a value; empty if the text does not have that form. The empty text names no file.
std::optional<FileParameter> file_parameter(const std::string& value);

/// Parses a text that names files, separated by blanks.
std::vector<FileParameter> file_parameters(const std::string& value);

/// Throws UserError if a file that the specification names is missing or has changed.
void check_files(const Spec& spec);

} // namespace hypermon
