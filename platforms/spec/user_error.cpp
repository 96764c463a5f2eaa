#include "platforms/spec/user_error.hpp"

#include <cstdio>
#include <cstdlib>

namespace hypermon {

void fail_simulation(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::fflush(stderr);
  std::_Exit(3); // actors of ranks are on other stacks: nothing can be unwound from here
}

} // namespace hypermon
