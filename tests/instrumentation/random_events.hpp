// SPDX-License-Identifier: BSD-3-Clause
// Random events of any catalogue.
#pragma once
#include "tests/instrumentation/nx2.hpp"
#include <array>
#include <random>

namespace hypermon::test {

using Rng = std::mt19937_64;

inline std::uint64_t below(Rng& rng, std::uint64_t bound) { return rng() % bound; }

/// A random event. Its arguments are random, small, zero or all ones, like those of real events.
inline Event random_event(Rng& rng, EventType type, const Catalogue& catalogue = Catalogue::nx2()) {
  Event event{type, {}};
  const auto& arguments = catalogue.row(type).arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::array<std::uint32_t, 4> kinds{static_cast<std::uint32_t>(rng()),
                                             static_cast<std::uint32_t>(below(rng, 256)), 0, 0xFFFFFFFF};
    event.args[i] = kinds[below(rng, 4)] & 0xFFFFFFFFU >> (32 - 8 * arguments[i].bytes);
  }
  return event;
}
inline Event random_event(Rng& rng, const Catalogue& catalogue = Catalogue::nx2()) {
  return random_event(rng, static_cast<EventType>(below(rng, catalogue.size())), catalogue);
}

} // namespace hypermon::test
