// SPDX-License-Identifier: BSD-3-Clause
// Collective calls with the algorithms that the parameters select.
#pragma once
#include "sw/messages/core/algorithms.hpp"
#include "sw/messages/core/params.hpp"

#include <cstdint>
#include <vector>

namespace hypermon::messages {

// Arguments as in algorithms.hpp. The parameters must outlive the task.
Task broadcast(const Member& m, const CollectivesParams& by, std::int64_t bytes, int root);
Task reduce(const Member& m, const CollectivesParams& by, std::int64_t bytes, int root);
Task all_reduce(const Member& m, const CollectivesParams& by, std::int64_t bytes);
/// Reduction to rank 0, then a scatter.
Task reduce_scatter(const Member& m, const CollectivesParams& by, std::vector<std::int64_t> bytes);
Task barrier(const Member& m, const CollectivesParams& by);
/// `equal`: all blocks have the same size, and every rank knows it.
Task gather(const Member& m, const CollectivesParams& by, std::int64_t bytes, bool equal, int root);
/// `equal`: as for gather(); the size is that of the first block.
Task scatter(const Member& m, const CollectivesParams& by, std::vector<std::int64_t> bytes, bool equal, int root);
Task all_gather(const Member& m, const CollectivesParams& by, std::vector<std::int64_t> bytes);
Task all_to_all(const Member& m, const CollectivesParams& by, std::vector<std::int64_t> bytes);
Task scan(const Member& m, const CollectivesParams& by, std::int64_t bytes);

} // namespace hypermon::messages
