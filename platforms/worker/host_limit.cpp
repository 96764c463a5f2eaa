// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/host_limit.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/os/ranks.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

namespace hypermon {
namespace {

constexpr time_t patience_s = 2; // (chosen) for the report, which may find the memory allocator locked
char message[96];                // prepared in advance, so that a handler can write it at any time

int the_signal() { return SIGRTMIN + 9; } // a signal that programs do not use

// The interrupted code never continues, so the handler must not wait for any lock. If the report hangs, the timer fires
// again and ends the process.
void ring(int) {
  static volatile std::sig_atomic_t rung = 0;
  if (rung != 0) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, message, std::strlen(message));
    syscall(SYS_exit_group, 3);
  }
  rung = 1;
  std::string text(message + std::strlen("error: "), std::strlen(message) - std::strlen("error: ") - 1);
  text += ": " + std::to_string(simgrid_now().seconds()) + " s are simulated; ";
  const auto rank = ranks().current();
  text += rank ? "rank " + std::to_string(*rank) + " is under way" : "the simulator is under way";
  fail_simulation(text + rank_table().doing());
}

} // namespace

void limit_host_time(double seconds) {
  if (seconds <= 0) return;
  std::snprintf(message, sizeof message, "error: limits.host_s = %.15g: the simulation has taken longer\n", seconds);
  struct sigaction action {};
  action.sa_handler = ring;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigaction(the_signal(), &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = the_signal();
#ifdef sigev_notify_thread_id
  event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
#else
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid)); // glibc has no name for this member
#endif
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) throw UserError("limits.host_s: the host has no timer left");
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(seconds);
  when.it_value.tv_nsec = std::max<long>(1, std::lround((seconds - std::floor(seconds)) * 999'999'999));
  when.it_interval.tv_sec = patience_s;
  timer_settime(timer, 0, &when, nullptr);
}

} // namespace hypermon
