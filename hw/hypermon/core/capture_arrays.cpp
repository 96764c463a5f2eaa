// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/capture_arrays.hpp"
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/closed_form.hpp"
#include <algorithm>

namespace hypermon {
namespace {

// Strobes that stay in the first-level cache between check and capture: so few that the processor reads the next from
// memory meanwhile; the board itself is advanced seldom.
constexpr std::size_t short_block = ClosedForm::at_once;
constexpr std::size_t long_block = 4096;

/// Calls capture(from, n) for blocks of strobes that have been checked.
template <std::size_t block, class F>
void in_blocks(const StrobeLimits& limits, const StrobeArrays& strobes, F&& capture) {
  for (std::size_t from = 0; from < strobes.size(); from += block) {
    const std::size_t n = std::min(block, strobes.size() - from);
    limits.check(strobes, from, n);
    capture(from, n);
  }
}

Counts in_closed_form(ClosedForm board, const StrobeLimits& limits, const StrobeArrays& strobes, FrameRows* rows) {
  if (rows != nullptr && strobes.size() > 0) { // room for all at once, if the times are in order
    const std::int64_t first = strobes.time_ns.front();
    const std::int64_t last = strobes.time_ns.back();
    if (first >= 0 && first <= last && last <= StrobeArrays::latest_ns)
      rows->reserve(board.most_frames(first, last, strobes.size()) + short_block + 1);
  }
  in_blocks<short_block>(limits, strobes,
                         [&](std::size_t from, std::size_t n) { board.capture(strobes.part(from, n), rows); });
  return board.counts();
}

Counts on_the_board(CaptureBoard board, const StrobeLimits& limits, const StrobeArrays& strobes, FrameRows* rows) {
  const auto take = [&] {
    if (rows != nullptr)
      for (const DeliveredFrame& frame : board.delivered()) rows->push(frame);
    board.clear_delivered();
  };
  in_blocks<long_block>(limits, strobes, [&](std::size_t from, std::size_t n) {
    board.advance(Time::from_ns(strobes.time_ns[from]));
    take();
    for (std::size_t i = from; i < from + n; ++i) {
      std::array<std::uint8_t, 4> bytes{};
      for (std::size_t b = 0; b < bytes.size(); ++b) bytes[b] = static_cast<std::uint8_t>(strobes.datum[i] >> 8 * b);
      board.write(
          {strobes.node[i], Time::from_ns(strobes.time_ns[i]), 0_ps, std::span(bytes).first(board.datum_bytes())});
    }
  });
  board.finish();
  take();
  return board.counts();
}

} // namespace

Counts capture_arrays(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
                      const StrobeArrays& strobes, FrameRows* rows) {
  const StrobeLimits limits(port, ecb);
  if (ClosedForm::holds(ecb, pbx, reader))
    return in_closed_form(ClosedForm(port, ecb, pbx, reader), limits, strobes, rows);
  return on_the_board(CaptureBoard(port, ecb, pbx, reader), limits, strobes, rows);
}

} // namespace hypermon
