// SPDX-License-Identifier: BSD-3-Clause
// Around calls into a user's code: what would end a process there ends the call.
#pragma once
#include "sw/monitors/scms/plugins/plugin.hpp"

#include <array>
#include <csetjmp>
#include <csignal>
#include <exception>
#include <functional>

namespace hypermon::scms {

class Guard {
public:
  Guard() = default;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() = default;

  /// Throws PluginCrash if the call throws, or raises a signal that a crash raises (stack overflow, too). What it has
  /// done to memory that is not its own is done.
  void run(const std::function<void()>& call);
  /// From within the call: calls back into the simulator, whose exceptions go through, and which may let others run.
  template <class Call> auto outside(Call&& call) {
    struct Resume {
      Guard& guard;
      int exceptions = std::uncaught_exceptions();
      ~Resume() {
        if (std::uncaught_exceptions() == exceptions) guard.enter();
      }
    };
    leave();
    const Resume resume{*this};
    return call();
  }

private:
  static constexpr std::size_t signals = 5;
  void enter();
  void leave();

  sigjmp_buf landing_{};
  bool is_inside_ = false;
  std::array<struct sigaction, signals> before_{};
};

/// A call that does not call back.
inline void guarded(const std::function<void()>& call) { Guard().run(call); }

} // namespace hypermon::scms
