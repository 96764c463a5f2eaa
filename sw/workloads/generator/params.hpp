// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>

namespace hypermon {

/// The synthetic generator of sec. 5.1 (generator.cpp).
struct GeneratorParams {
  std::int64_t active = 1;
  std::int64_t events = 125000;
};

} // namespace hypermon
