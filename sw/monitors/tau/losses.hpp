// SPDX-License-Identifier: BSD-3-Clause
// Where profiles are lost on their way, by transport: monitor `tau` may have either.
#pragma once
#include "base/parts.hpp"

#include <vector>

namespace hypermon::tau {

using Losses = std::vector<MonitorTraits::Place>;

inline Losses losses_of_files() {
  return {{"server", "overwritten", "another profile of the process took its file's name"},
          {"server", "left_behind", "nobody had read it when the run ended"},
          {"process", "kept", "tau_files.fixed_dump_ms"}};
}

inline Losses losses_of_monholes() {
  return {{"monhole", "no_mon", "its node's mon was dead"},
          {"monhole", "socket", "in the socket of a mon that died"},
          {"monhole", "refused", "the buffer had no memory for it"},
          {"monhole", "overwritten", "by its process's next profile, before a sink read it"},
          {"monhole", "died", "in the buffer of a mon that died"},
          {"monhole", "left_behind", "in the buffer when the run ended"},
          {"monhole", "unfinished", "in the socket when the run ended"},
          {"tree", "late", "its query had been answered without it"},
          {"tree", "died", "with a daemon that died, or its client's connection"},
          {"tree", "combined", "with others: their sum or the like arrived instead"},
          {"tree", "unfinished", "on its way when the run ended, or its connection broke"}};
}

inline Losses losses_of_all_transports() {
  Losses all = losses_of_files();
  const Losses more = losses_of_monholes();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace hypermon::tau
