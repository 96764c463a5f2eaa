// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core.Replay: replays of recorded runs, for every monitor that supports them.
#pragma once
#include "python/bindings/columns.hpp"
#include "sw/monitors/rerun.hpp"

#include <string>

namespace hypermon {

/// Called by a part's bind function: `make` makes the replays of its monitor.
void add_replays(const std::string& monitor, MakeRerun make);

/// Passes a batch of a recording's rows to a replay, without the GIL: row i has the data [offsets[i], offsets[i + 1]).
void add_rows(Rerun& to, const Column<std::uint16_t>& node, const Column<std::int64_t>& first_ps,
              const Column<std::int32_t>& offsets, const Column<std::uint8_t>& data,
              const Column<std::uint64_t>& message, const Column<std::uint8_t>& side);

} // namespace hypermon
