#include "sw/monitors/scms/plugins/guard.hpp"

#include <array>
#include <csetjmp>
#include <csignal>
#include <exception>
#include <utility>

namespace hypermon::scms {
namespace {

constexpr std::array crashes{std::pair{SIGSEGV, "SIGSEGV"}, std::pair{SIGBUS, "SIGBUS"}, std::pair{SIGFPE, "SIGFPE"},
                             std::pair{SIGILL, "SIGILL"}, std::pair{SIGABRT, "SIGABRT"}};

sigjmp_buf landing; // calls do not nest

void land(int signal) { siglongjmp(landing, signal); }

/// While it lives, crashes land.
class Handlers {
public:
  Handlers() {
    struct sigaction action {};
    action.sa_handler = land;
    action.sa_flags = SA_ONSTACK; // the worker's, also if there is no stack left
    for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i].first, &action, &before_[i]);
  }
  ~Handlers() {
    for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i].first, &before_[i], nullptr);
  }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;

private:
  std::array<struct sigaction, crashes.size()> before_{};
};

} // namespace

void guarded(const std::function<void()>& call) {
  const Handlers handlers;
  if (const int signal = sigsetjmp(landing, 1); signal != 0) {
    for (const auto& [number, name] : crashes)
      if (number == signal) throw PluginCrash{name, true};
  }
  try {
    call();
  } catch (const std::exception& error) {
    throw PluginCrash{error.what(), false};
  } catch (...) {
    throw PluginCrash{"an exception", false};
  }
}

} // namespace hypermon::scms
