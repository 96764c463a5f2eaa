#include "sw/model/user_error.hpp"

#include <cstdio>
#include <cstdlib>

namespace hypermon {
namespace {
std::function<std::string()> before_failing = [] { return std::string(); };
} // namespace

void on_failure(std::function<std::string()> action) { before_failing = std::move(action); }

void fail_simulation(const std::string& message) {
  const std::string more = before_failing();
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s%s\n", message.c_str(), more.c_str());
  std::fflush(stderr);
  std::_Exit(3); // actors of ranks are on other stacks: nothing can be unwound from here
}

void fail_rank(int rank, const std::string& did) {
  fail_simulation("the program failed: rank " + std::to_string(rank) + " " + did);
}

} // namespace hypermon
