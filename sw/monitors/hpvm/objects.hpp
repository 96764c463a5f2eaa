// SPDX-License-Identifier: BSD-3-Clause
// Windows NT's performance objects for the simulated system's counters, and the sets that a user can name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::hpvm {

/// The object that contains the counter: System, Processor, Process, Memory, FM, MPI or MPID.
std::string_view object_of(std::string_view counter);

/// A counter from a word of hpvm.counters, with one item or, if that is empty, all items.
struct Named {
  std::string counter;
  std::string item;
};
/// Throws UserError with `path` if the word is not a counter. The item is not checked.
Named named_counter(const std::string& word, const std::string& path);
/// Throws UserError with `path` if a word is neither a set nor a counter, or if there is no word.
std::vector<Named> named_counters(const std::string& words, const std::string& path);

} // namespace hypermon::hpvm
