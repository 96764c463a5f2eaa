// SPDX-License-Identifier: BSD-3-Clause
// Assigns codes to events of a catalogue that have none.
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

/// True if the byte is a possible code. Its nibbles must differ, because small data are full of 00 and FF.
constexpr bool may_be_code(unsigned byte) { return byte >> 4 != (byte & 0xFU); }

/// Assigns a free code to every row whose code is 0, deterministically (docs/design/catalogues.md). Low nibbles are
/// first divided among the lengths. Then each row in turn gets the code that differs in the most bits from all codes
/// used so far; ties are resolved in favour of NX/2's coset, then of the lowest code. Returns the first row for which
/// no code is left, if there is one.
std::optional<std::size_t> assign_codes(std::vector<EventRow>& rows);

/// The smallest number of bits in which two codes differ; 8 if there is only one code.
int least_distance(const Catalogue& catalogue);

} // namespace hypermon
