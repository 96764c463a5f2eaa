// SPDX-License-Identifier: BSD-3-Clause
// Windows NT's performance objects over the simulated system's counters, and the sets that a user names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::hpvm {

/// The object that has the counter: System, Processor, Process, Memory, FM, MPI or MPID.
std::string_view object_of(std::string_view counter);

/// A word of hpvm.counters without sets: a counter, and the one item of it that is wanted; empty: all.
struct Named {
  std::string counter;
  std::string item;
};
/// Throws UserError with `path` if it is no counter, whatever its item.
Named named_counter(const std::string& word, const std::string& path);
/// Throws UserError with `path` if a word is neither a set nor a counter, or if there is none.
std::vector<Named> named_counters(const std::string& words, const std::string& path);

} // namespace hypermon::hpvm
