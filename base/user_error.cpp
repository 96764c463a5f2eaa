// SPDX-License-Identifier: BSD-3-Clause
#include "base/user_error.hpp"

#include <cstdio>
#include <cstdlib>

namespace hypermon {
namespace {
std::function<std::string()> before_failing = [] { return std::string(); };
} // namespace

void on_failure(std::function<std::string()> action) { before_failing = std::move(action); }

namespace {
[[noreturn]] void fail(const std::string& message, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::fflush(stderr);
  std::_Exit(status); // actors of ranks have stacks of their own, which cannot be unwound from here
}
} // namespace

void fail_simulation(const std::string& message) { fail(message + before_failing(), 3); }

void fail_user(const UserError& error) {
  before_failing(); // the returned text about the ranks is not needed
  fail(error.what(), 2);
}

void fail_rank(int rank, const std::string& did) {
  fail_simulation("the program failed: rank " + std::to_string(rank) + " " + did);
}

} // namespace hypermon
