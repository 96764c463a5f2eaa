// SPDX-License-Identifier: BSD-3-Clause
// SimGrid and SystemC exist once per process: a case that simulates does it in a child of its own.
#pragma once
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace hypermon::test {

struct ChildResult {
  int status = -1; // exit status; -1 if it was killed
  std::vector<double> values;
  std::string errors; // its standard error
};

inline std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(descriptor, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(descriptor);
  return text;
}

/// Runs `simulation` in a child and returns the values that it returned.
inline ChildResult in_child(const std::function<std::vector<double>()>& simulation) {
  int values[2];
  int errors[2];
  if (pipe(values) != 0 || pipe(errors) != 0) return {};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(errors[1], STDERR_FILENO);
    close(values[0]);
    const std::vector<double> result = simulation();
    const auto bytes = result.size() * sizeof(double);
    const bool written = write(values[1], result.data(), bytes) == static_cast<ssize_t>(bytes);
    _exit(written ? 0 : 99);
  }
  close(values[1]);
  close(errors[1]);
  ChildResult result;
  const std::string raw = read_all(values[0]);
  result.errors = read_all(errors[0]);
  result.values.resize(raw.size() / sizeof(double));
  raw.copy(reinterpret_cast<char*>(result.values.data()), result.values.size() * sizeof(double));
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

} // namespace hypermon::test
