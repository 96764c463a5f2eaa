// SPDX-License-Identifier: BSD-3-Clause
// Protects calls into a user's code: a crash ends the call instead of the process.
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

  /// Throws PluginCrash if the call throws, or raises a signal of a crash (including stack overflow). Damage to foreign
  /// memory is not undone.
  void run(const std::function<void()>& call);
  /// For callbacks into the simulator from within the call. The simulator's exceptions pass through, and other actors
  /// may run meanwhile.
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

/// For a call that does not call back.
inline void guarded(const std::function<void()>& call) { Guard().run(call); }

} // namespace hypermon::scms
