// hypermon._core.Replay: runs again from their recordings, of every monitor that has such.
#pragma once
#include "sw/monitors/rerun.hpp"

#include <string>

namespace hypermon {

/// From a part's bind function: `make` makes the runs of its monitor.
void add_replays(const std::string& monitor, MakeRerun make);

} // namespace hypermon
