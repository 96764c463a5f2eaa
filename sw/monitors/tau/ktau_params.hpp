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
            "Attribution of MPI time to system calls, as KTAU measures it. off: none. sockets: sent messages "
            "count as writev, received ones as read, and the remaining time as select.",
            "TAU sec. 4: Table 1; off: chosen"},
      Field{"writev_us", &P::writev_us, range(0, 1e6),
            "Part of an MPI call's time that counts as writev for each message that the call sends.",
            "chosen: TCP's way out on a Pentium III"},
      Field{"read_us", &P::read_us, range(0, 1e6),
            "Part of an MPI call's time that counts as the system call read, for each message that the call receives.",
            "chosen"},
      Field{"copy_mb_per_s", &P::copy_mb_per_s, range(0.1, 1e6), "MB/s",
            "Rate at which a message's bytes add to the time that counts as writev or read.",
            "chosen: a copy and a checksum of a Pentium III"});
}
static_assert(all_members_described<KtauParams>());

} // namespace hypermon
