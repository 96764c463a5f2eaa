// SPDX-License-Identifier: BSD-3-Clause
// Chooses the next of several waiting inputs.
#pragma once
#include "base/choice.hpp"
#include <bit>
#include <cstdint>

namespace hypermon {

/// round_robin: the first waiting input after the one served last. priority: the waiting input with the lowest number.
enum class Arbitration : std::uint8_t { round_robin, priority };
constexpr auto words_of(Arbitration) { return words("round_robin", "priority"); }

class Arbiter {
public:
  explicit Arbiter(Arbitration how) : in_turn_(how == Arbitration::round_robin) {}

  /// Returns one of the inputs whose bits are set; there must be at least one.
  std::uint32_t choose(std::uint32_t waiting) {
    const std::uint32_t after = in_turn_ ? waiting & not_served_ : 0;
    const auto chosen = static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : waiting));
    not_served_ = ~std::uint32_t{0} << chosen << 1;
    return chosen;
  }

private:
  bool in_turn_;
  std::uint32_t not_served_ = ~std::uint32_t{0}; // inputs that are served before the ring starts again
};

} // namespace hypermon
