// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core.Replay: runs again from their recordings, of every monitor that has such.
#pragma once
#include "python/bindings/columns.hpp"
#include "sw/monitors/rerun.hpp"

#include <string>

namespace hypermon {

/// From a part's bind function: `make` makes the runs of its monitor.
void add_replays(const std::string& monitor, MakeRerun make);

/// Gives a batch of a recording's rows to a run, without the GIL: row i has the data [offsets[i], offsets[i + 1]).
void add_rows(Rerun& to, const Column<std::uint16_t>& node, const Column<std::int64_t>& first_ps,
              const Column<std::int32_t>& offsets, const Column<std::uint8_t>& data,
              const Column<std::uint64_t>& message, const Column<std::uint8_t>& side);

} // namespace hypermon
