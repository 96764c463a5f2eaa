// SPDX-License-Identifier: BSD-3-Clause
// Parameters that name files (declared with file()): "/path@sha256:<64 hexadecimal digits>", so that a specification,
// and whatever is kept under its hash, changes with the file's content. Users give a path; Python resolves it: of a
// file in the user's home folder to "~/path@sha256:...".
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

/// The path with the user's home folder for a `~` at its beginning.
std::string expanded_home(const std::string& path);

/// Nothing if the text is not of that form: the empty text means no file.
std::optional<FileParameter> file_parameter(const std::string& value);

/// Of a text that names one or several, blanks between: those that it names.
std::vector<FileParameter> file_parameters(const std::string& value);

/// Throws UserError if a file that the specification names is missing, or not the one that was specified.
void check_files(const Spec& spec);

} // namespace hypermon
