// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/rank_signals.hpp"
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/ranks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace hypermon {
namespace {

constexpr std::array of_crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

using Sigaction = int(int, const struct sigaction*, struct sigaction*);

Sigaction& next_sigaction() {
  static auto* const next = real<Sigaction>("sigaction");
  return *next;
}

/// The handlers that programs have set, by rank and signal. A signal without an entry has its default action.
std::map<std::pair<int, int>, struct sigaction>& handlers() {
  static std::map<std::pair<int, int>, struct sigaction> all;
  return all;
}

bool is_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

struct sigaction default_action() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  return action;
}

/// Sets the handler of the calling rank; none if the call does not concern a crash of a rank.
std::optional<int> set_for_rank(int signal, const struct sigaction* action, struct sigaction* old, const void* caller) {
  const auto rank = ranks().current();
  if (!rank || std::find(of_crashes.begin(), of_crashes.end(), signal) == of_crashes.end()) return std::nullopt;
  const auto own = handlers().find({*rank, signal});
  if (old != nullptr) *old = own == handlers().end() ? default_action() : own->second;
  const bool is_programs = ranks().is_loading() || ranks().object_of(*rank).contains(caller);
  if (action != nullptr && is_programs) handlers()[{*rank, signal}] = *action;
  return 0;
}

} // namespace

bool run_own_handler(int rank, int signal, siginfo_t* info, void* context) {
  const auto own = handlers().find({rank, signal});
  if (own == handlers().end() || is_default(own->second)) return false;
  const struct sigaction action = own->second;
  if ((action.sa_flags & SA_RESETHAND) != 0) handlers().erase(own);
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(signal, info, context);
  else if (action.sa_handler != SIG_IGN)
    action.sa_handler(signal);
  else
    return false;           // a crash cannot be ignored
  return signal != SIGABRT; // abort() ends the process in any case
}

void set_process_handler(int signal, const struct sigaction& action) { next_sigaction()(signal, &action, nullptr); }

LIBC(int, sigaction, int signal, const struct sigaction* action, struct sigaction* old) {
  if (const auto done = set_for_rank(signal, action, old, __builtin_return_address(0))) return *done;
  return next_sigaction()(signal, action, old);
}

using Handler = void(int);
LIBC(Handler*, signal, int signal, Handler* handler) {
  struct sigaction action {};
  action.sa_handler = handler;
  struct sigaction old {};
  if (set_for_rank(signal, &action, &old, __builtin_return_address(0)))
    return (old.sa_flags & SA_SIGINFO) == 0 ? old.sa_handler : SIG_DFL;
  static auto* const next = real<Handler*(int, Handler*)>("signal");
  return next(signal, handler);
}

} // namespace hypermon
