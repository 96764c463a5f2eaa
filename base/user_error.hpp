// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

namespace hypermon {

/// A user's mistake. The message names the parameter's path, its value and the allowed values. Exit status 2.
class UserError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The simulated program failed or deadlocked: prints the message and ends the process with status 3.
[[noreturn]] void fail_simulation(const std::string& message);
/// A user's mistake was found during the simulation: prints the message and ends the process with status 2.
[[noreturn]] void fail_user(const UserError& error);
/// Like fail_simulation, with the message "the program failed: rank 3 <did>".
[[noreturn]] void fail_rank(int rank, const std::string& did);
/// Sets an action that runs before the process ends this way. The text that it returns is appended to the message.
void on_failure(std::function<std::string()> action);

} // namespace hypermon
