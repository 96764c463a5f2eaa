// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the plain funnel. Defaults are those of the HYPERMON prototype, where it has the part.
#pragma once
#include "base/field.hpp"
#include "base/fifo.hpp"
#include "base/quantity.hpp"
#include "hw/core/arbiter.hpp"

#include <cstdint>

namespace hypermon {

struct FunnelParams {
  std::int64_t sources = 16;
  std::int64_t source_fifo_entries = 64;
  WhenFull source_full = WhenFull::drop_newest;
  Arbitration arbiter = Arbitration::round_robin;
  std::int64_t arbiter_cycles = 1;
  std::int64_t fifo_words = 3276;
  WhenFull fifo_full = WhenFull::drop_newest;
  WholeNanoseconds timestamp_ns = 800;
  std::int64_t timestamp_bits = 32;
  std::int64_t id_bits = 4;
  bool packed = false;
};

constexpr auto fields_of(const FunnelParams*) {
  using P = FunnelParams;
  return fields(
      Field{"sources", &P::sources, range(1, 32), "nodes",
            "Number of inputs of the funnel board, each with its own FIFO.", "HYPERMON sec. 3.1: 16"},
      Field{"source_fifo_entries", &P::source_fifo_entries, range(1, 1 << 24), "words", "Depth of each source's FIFO.",
            "HYPERMON sec. 3.2.1: 64"},
      Field{"source_full", &P::source_full, some<WhenFull::drop_newest, WhenFull::stall>,
            "Behaviour of a source's full FIFO. drop: the newest word is lost. stall: the node's write waits.",
            "spec sec. 6"},
      Field{"arbiter", &P::arbiter,
            "Order in which waiting sources are served. round_robin: in turn. priority: the lowest number first.",
            "chosen"},
      Field{"arbiter_cycles", &P::arbiter_cycles, range(1, 1 << 16), "cycles",
            "Cycles of the 20 MHz clock that the arbiter needs to move a word into the wide FIFO.", "chosen"},
      Field{"fifo_words", &P::fifo_words, range(1, 1 << 24), "words", "Depth of the wide FIFO behind the arbiter.",
            "chosen: as many words of 40 bits as the prototype's 1024 frames of 128 bits take"},
      Field{"fifo_full", &P::fifo_full,
            "Behaviour of a full wide FIFO. drop: the newest word is lost. drop_oldest: the oldest word that is not "
            "being read is lost. stall: the arbiter waits.",
            "spec sec. 6"},
      Field{"timestamp_ns", &P::timestamp_ns, range(50, 1e9, 50), "Resolution of the timestamps in the funnel's words.",
            "HYPERMON sec. 3.2.1: 800"},
      Field{"timestamp_bits", &P::timestamp_bits, range(1, 64), "bits", "Width of the timestamp in a word.",
            "HYPERMON sec. 3.2.1: 32"},
      Field{"id_bits", &P::id_bits, range(0, 5), "bits", "Width of the source number in a word.",
            "HYPERMON sec. 3.2.1: 4"},
      Field{"packed", &P::packed, any_value(), "",
            "Transfer only the bits of a word over the bus. Otherwise each word is filled up to whole bus words of 32 "
            "bits.",
            "chosen"});
}
static_assert(all_members_described<FunnelParams>());

} // namespace hypermon
