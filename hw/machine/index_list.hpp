// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hypermon {

/// The numbers in a text like "0,4-7", in its order. Throws UserError with `path` if the text cannot be parsed or a
/// number is not below `count`; `what` describes the numbers.
std::vector<std::uint32_t> index_list(const std::string& path, const std::string& text, std::int64_t count,
                                      const std::string& what);

/// The numbers without repetitions, or every number below `count` for "all"; `what`: for example "numbers of nodes".
std::vector<std::uint32_t> all_or_index_list(const std::string& path, const std::string& text, std::int64_t count,
                                             const std::string& what);

} // namespace hypermon
