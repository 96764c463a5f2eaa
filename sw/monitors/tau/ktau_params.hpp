// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a kernel that measures its system calls (KTAU), where a program's messages go over sockets.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

constexpr auto fields_of(const KtauParams*) {
  using P = KtauParams;
  return fields(
      Field{"messages", &P::messages,
            "sockets: the time of the program's MPI calls is told by system calls, too: what is sent by writev, what "
            "comes by read, the rest is waited for in select.",
            "TAU sec. 4: Table 1; off: chosen"},
      Field{"writev_us", &P::writev_us, range(0, 1e6), "Of an MPI call's time, for each message that it sends.",
            "chosen: TCP's way out on a Pentium III"},
      Field{"read_us", &P::read_us, range(0, 1e6), "The same, for each that it receives.", "chosen"},
      Field{"copy_mb_per_s", &P::copy_mb_per_s, range(0.1, 1e6), "MB/s", "The same, for the bytes of both.",
            "chosen: a copy and a checksum of a Pentium III"});
}
static_assert(all_members_described<KtauParams>());

} // namespace hypermon
