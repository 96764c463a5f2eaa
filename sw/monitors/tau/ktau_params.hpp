// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a kernel that measures its system calls (KTAU), where a program's messages go over sockets.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

enum class KtauMessages : std::uint8_t { off, sockets };
constexpr auto words_of(KtauMessages) { return words("off", "sockets"); }

struct KtauParams {
  KtauMessages messages = KtauMessages::off;
  Microseconds writev_us = 25;
  Microseconds read_us = 20;
  double copy_mb_per_s = 200;
};

} // namespace hypermon
