// SPDX-License-Identifier: BSD-3-Clause
// NX/2's catalogue, by the names of its types.
#pragma once
#include "sw/instrumentation/catalogue.hpp"

namespace hypermon::test {

inline const std::vector<EventRow>& event_catalogue = Catalogue::nx2().rows();
inline constexpr std::size_t event_types = 17;

inline const EventRow& info(EventType type) { return Catalogue::nx2().row(type); }
inline std::uint8_t type_code(EventType type) { return info(type).code; }

} // namespace hypermon::test
