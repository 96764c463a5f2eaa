// SPDX-License-Identifier: BSD-3-Clause
// Codes for a catalogue's events that were given none.
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

/// May a code be this byte at all? Its nibbles must differ: 00 and FF are full of them.
constexpr bool may_be_code(unsigned byte) { return byte >> 4 != (byte & 0xFU); }

/// Gives every row whose code is 0 one that the others leave, deterministically (docs/design/catalogues.md):
/// low nibbles are shared out among the lengths, then each row in turn takes the code that differs in the most bits
/// from all codes so far; of equal ones a code of NX/2's coset, then the lowest. The number of the first row for which
/// none is left, if there is one.
std::optional<std::size_t> assign_codes(std::vector<EventRow>& rows);

/// The fewest bits in which two codes differ; 8 if there is only one.
int least_distance(const Catalogue& catalogue);

} // namespace hypermon
