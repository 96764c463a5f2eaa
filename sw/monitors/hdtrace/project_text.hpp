// SPDX-License-Identifier: BSD-3-Clause
// The project file: the tree of everything that has traces, and the communicators, types and files that the traces
// name.
#pragma once
#include "sw/monitors/hdtrace/core/text.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hypermon::hdtrace {

/// Objects that a process's trace names, by the process's own numbers.
struct Known {
  struct Communicator {
    std::int64_t number;
    std::vector<int> members;
    bool is_world;
  };
  struct Type {
    std::int64_t number;
    std::int64_t bytes;
  };
  std::vector<Communicator> communicators;
  std::vector<Type> types;
};

struct ProjectContent {
  std::string name;
  std::string description;
  struct Host {
    std::string name;
    std::vector<int> ranks;
    std::vector<std::string> layers; ///< layers of a server
  };
  std::vector<Host> hosts;
  std::map<int, std::vector<std::string>> client_layers; ///< by rank
  std::map<int, Known> known;
  std::map<std::string, std::int64_t> files; ///< sizes at the first opening
  std::vector<std::string> groups;
};

std::string project_text(const ProjectContent& content);

} // namespace hypermon::hdtrace
