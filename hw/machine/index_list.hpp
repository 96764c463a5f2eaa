// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hypermon {

/// The numbers that a text like "0,4-7" names, in its order. Throws UserError with `path` if it is none, or if a number
/// is not below `count`; `what` is said of the numbers.
std::vector<std::uint32_t> index_list(const std::string& path, const std::string& text, std::int64_t count,
                                      const std::string& what);

/// The same, each once, or every number below `count` for "all"; `what` are they: numbers of nodes.
std::vector<std::uint32_t> all_or_index_list(const std::string& path, const std::string& text, std::int64_t count,
                                             const std::string& what);

} // namespace hypermon
