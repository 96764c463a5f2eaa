// Around a call into a user's code: what would end a process there ends the call.
#pragma once
#include "sw/monitors/scms/plugins/plugin.hpp"

#include <functional>

namespace hypermon::scms {

/// Throws PluginCrash if the call throws, or raises a signal that a crash raises (stack overflow, too). What the call
/// has done to memory that is not its own is done.
void guarded(const std::function<void()>& call);

} // namespace hypermon::scms
