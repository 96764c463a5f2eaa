// Workload stream: a file of events (time, node, bytes or datum) instead of a program.
#pragma once

#include <cstdint>
#include <string>

namespace hypermon {

struct StreamParams {
  std::string file;
  std::string time_unit = "ns";
  std::string columns;
  std::int64_t bytes = 0;
  std::string begin = "zero";
};

} // namespace hypermon
