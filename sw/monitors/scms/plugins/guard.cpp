// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/plugins/guard.hpp"

#include <exception>
#include <utility>

namespace hypermon::scms {
namespace {

constexpr std::array crashes{std::pair{SIGSEGV, "SIGSEGV"}, std::pair{SIGBUS, "SIGBUS"}, std::pair{SIGFPE, "SIGFPE"},
                             std::pair{SIGILL, "SIGILL"}, std::pair{SIGABRT, "SIGABRT"}};

sigjmp_buf* landing = nullptr; // jump target of the running call

void land(int signal) { siglongjmp(*landing, signal); }

} // namespace

void Guard::enter() {
  static_assert(crashes.size() == signals);
  struct sigaction action {};
  action.sa_handler = land;
  action.sa_flags = SA_ONSTACK; // the worker's signal stack, which works after a stack overflow, too
  landing = &landing_;
  for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i].first, &action, &before_[i]);
  is_inside_ = true;
}

void Guard::leave() {
  for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i].first, &before_[i], nullptr);
  is_inside_ = false;
}

void Guard::run(const std::function<void()>& call) {
  if (const int signal = sigsetjmp(landing_, 1); signal != 0) {
    leave();
    for (const auto& [number, name] : crashes)
      if (number == signal) throw PluginCrash{name, true};
  }
  enter();
  try {
    call();
    leave();
  } catch (const PluginCrash&) { // thrown by the simulator because of the arguments of a callback
    if (is_inside_) leave();
    throw;
  } catch (const std::exception& error) {
    if (!is_inside_) throw; // thrown outside of the user's code
    leave();
    throw PluginCrash{error.what(), false};
  } catch (...) {
    if (!is_inside_) throw;
    leave();
    throw PluginCrash{"an exception", false};
  }
}

} // namespace hypermon::scms
