// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/program/program_surroundings.hpp"
#include "base/user_error.hpp"
#include "sw/workloads/program/program_words.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace hypermon {
namespace {

void set_environment(const std::string& environment) {
  const auto words = words_of("program.environment", environment);
  clearenv();
  setenv("TZ", "UTC0", 1); // otherwise /etc/localtime of the host applies
  // libgfortran's buffers belong to the process and so to all ranks: the output of one rank must not wait for
  // another's.
  setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 1);
  for (const auto& word : words) {
    const auto at = word.find('=');
    if (at == 0 || at == std::string::npos)
      throw UserError("program.environment = " + environment + ": " + word + " must be NAME=value");
    setenv(word.substr(0, at).c_str(), word.substr(at + 1).c_str(), 1);
  }
}

} // namespace

void enter_surroundings(const ProgramParams& program, const std::string& directory) {
  const std::filesystem::path files = std::filesystem::path(directory) / "files";
  if (!program.folder.empty() && !std::filesystem::is_directory(files))
    throw UserError("program.folder = " + program.folder + ": its files must be in " + files.string() +
                    ", where hypermon run puts them");
  std::error_code error;
  std::filesystem::create_directory(files, error);
  if (!error) std::filesystem::current_path(files, error);
  if (error) throw UserError(files.string() + ": " + error.message());
  set_environment(program.environment);
}

} // namespace hypermon
