// Parameters of a client of RMI that asks again and again.
#pragma once
#include "hw/core/choice.hpp"
#include "hw/core/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class ScmsMode : std::uint8_t { asynchronous, synchronous };
constexpr auto words_of(ScmsMode) { return words("asynchronous", "synchronous"); }

struct ScmsClientParams {
  Seconds period_s = 0;
  ScmsMode mode = ScmsMode::asynchronous;
  std::string resources = "hardware.load";
  std::string nodes = "all";
  std::int64_t sma = 0;
};

} // namespace hypermon
