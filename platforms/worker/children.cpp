// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/children.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/rank_output.hpp"
#include "platforms/worker/rank_streams.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/os/ranks.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <optional>

namespace hypermon {
namespace {

bool is_child = false;

/// While it exists, descriptors 1 and 2 are the rank's files, which a child inherits.
class OutputOfRank {
public:
  OutputOfRank() {
    const auto rank = ranks().current();
    if (!rank || is_child) return;
    rank_output().flush(*rank); // earlier output must precede the child's
    for (const auto stream : {RankOutput::out, RankOutput::error}) {
      const int descriptor = stream == RankOutput::out ? 1 : 2;
      const int other = rank_streams().replacement(descriptor);
      const int file = other == descriptor ? rank_output().descriptor(*rank, stream) : dup(other);
      if (file < 0) continue;
      saved_[stream] = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
      dup2(file, descriptor);
      ::close(file);
    }
  }
  ~OutputOfRank() {
    for (const int stream : {0, 1}) {
      const int saved = saved_[static_cast<std::size_t>(stream)];
      if (saved < 0) continue;
      if (!is_child) dup2(saved, stream + 1);
      ::close(saved);
    }
  }
  OutputOfRank(const OutputOfRank&) = delete;
  OutputOfRank& operator=(const OutputOfRank&) = delete;

private:
  std::array<int, 2> saved_{-1, -1};
};

} // namespace

bool in_child() { return is_child; }

void end_child(int status) {
  std::fflush(nullptr);
  rank_output().flush();
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

LIBC(pid_t, fork, void) {
  static auto* const next = real<pid_t()>("fork");
  if (!ranks().current() || is_child) return next();
  rank_output().flush(); // for all ranks, so that the child writes only its own output
  const OutputOfRank output;
  const pid_t parent = getpid();
  const pid_t child = next();
  if (child != 0) return child;
  is_child = true;
  prctl(PR_SET_PDEATHSIG, SIGKILL); // no other process would end it
  if (getppid() != parent) std::raise(SIGKILL);
  rank_output().write_at_once();
  RankState& self = rank_table().self();
  self.is_child = true;
  self.call.standstill = Standstill(1); // the next call is reported
  self.call.standstill.step(simgrid_now());
  return 0;
}
LIBC(pid_t, vfork, void) { return own_fork(); }

LIBC(int, system, const char* command) {
  static auto* const next = real<int(const char*)>("system");
  const OutputOfRank output;
  return next(command);
}
LIBC(std::FILE*, popen, const char* command, const char* mode) {
  static auto* const next = real<std::FILE*(const char*, const char*)>("popen");
  const OutputOfRank output;
  return next(command, mode);
}

using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const[],
                  char* const[]);
#define SPAWN(name)                                                                                                    \
  LIBC(int, name, pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,                             \
       const posix_spawnattr_t* attributes, char* const argv[], char* const environment[]) {                           \
    static auto* const next = real<Spawn>(#name);                                                                      \
    const OutputOfRank output;                                                                                         \
    return next(pid, path, actions, attributes, argv, environment);                                                    \
  }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

} // namespace hypermon
