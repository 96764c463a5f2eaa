// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

namespace hypermon {

/// The user's mistake: the message names the parameter's path, its value and what is allowed. Exit status 2.
class UserError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The simulated program failed or deadlocked: says so and ends the process with status 3.
[[noreturn]] void fail_simulation(const std::string& message);
/// The user's mistake is found while the simulation runs: says so and ends the process with status 2.
[[noreturn]] void fail_user(const UserError& error);
/// As fail_simulation: "the program failed: rank 3 <did>".
[[noreturn]] void fail_rank(int rank, const std::string& did);
/// What is to be done before that; its text is added to the message.
void on_failure(std::function<std::string()> action);

} // namespace hypermon
