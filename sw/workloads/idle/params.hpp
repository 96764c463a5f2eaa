// Workload idle: no program. What monitors of a whole system do when nothing is asked of it.
#pragma once
namespace hypermon {

struct IdleParams {
  double duration_s = 1;
};

} // namespace hypermon
