// SPDX-License-Identifier: BSD-3-Clause
// Places where profiles can be lost, by transport. The monitor `tau` can have either transport.
#pragma once
#include "base/parts.hpp"

#include <vector>

namespace hypermon::tau {

using Losses = std::vector<MonitorTraits::Place>;

inline Losses losses_of_files() {
  return {{"server", "overwritten", "another profile of the process replaced the file"},
          {"server", "left_behind", "no consumer had read the profile when the run ended"},
          {"process", "kept", "the process did not write the profile because of tau_files.fixed_dump_ms"}};
}

inline Losses losses_of_monholes() {
  return {{"monhole", "no_mon", "the mon of the process's node was dead"},
          {"monhole", "socket", "the profile was in the socket of a mon that died"},
          {"monhole", "refused", "the buffer had no memory for the profile"},
          {"monhole", "overwritten", "the process's next profile replaced this one before a sink read it"},
          {"monhole", "died", "the profile was in the buffer of a mon that died"},
          {"monhole", "left_behind", "the profile was in the buffer when the run ended"},
          {"monhole", "unfinished", "the profile was in the socket when the run ended"},
          {"tree", "late", "the query had been answered without the data"},
          {"tree", "died", "the data were lost with a daemon that died or with its client's connection"},
          {"tree", "combined", "the data were combined with others, and their sum or the like arrived instead"},
          {"tree", "unfinished", "the data were under way when the run ended or their connection broke"}};
}

inline Losses losses_of_all_transports() {
  Losses all = losses_of_files();
  const Losses more = losses_of_monholes();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace hypermon::tau
