// SPDX-License-Identifier: BSD-3-Clause
// Hints for MPI-IO from a parameter.
#pragma once
#include <mpi.h>
#include <sstream>
#include <string>

namespace hypermon::workloads {

/// Makes an MPI_Info from words NAME=VALUE. Returns false if a word is invalid.
inline bool parse_hints(const std::string& hints, MPI_Info& info) {
  MPI_Info_create(&info);
  std::istringstream words(hints);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) return false;
    MPI_Info_set(info, word.substr(0, equals).c_str(), word.substr(equals + 1).c_str());
  }
  return true;
}

} // namespace hypermon::workloads
