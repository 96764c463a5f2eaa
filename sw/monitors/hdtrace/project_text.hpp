// SPDX-License-Identifier: BSD-3-Clause
// The project's file: the tree of what has traces, communicators and types and files that they speak of.
#pragma once
#include "sw/monitors/hdtrace/core/text.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hypermon::hdtrace {

/// What a process's trace speaks of, by its own numbers.
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
    std::vector<std::string> layers; ///< of a server
  };
  std::vector<Host> hosts;
  std::map<int, std::vector<std::string>> client_layers; ///< by rank
  std::map<int, Known> known;
  std::map<std::string, std::int64_t> files; ///< sizes when they were opened first
  std::vector<std::string> groups;
};

std::string project_text(const ProjectContent& content);

} // namespace hypermon::hdtrace
