// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/capture_arrays.hpp"
#include <algorithm>

namespace hypermon {
namespace {

// Short blocks stay in the first-level cache between check and capture, and the processor fetches the next block
// meanwhile. Long blocks serve the board itself, which is advanced rarely.
constexpr std::size_t short_block = ClosedForm::at_once;
constexpr std::size_t long_block = 4096;

/// Calls capture(from, n) for blocks of strobes that have been checked.
template <std::size_t block, class F>
void in_blocks(const StrobeLimits& limits, const StrobeLimits::Before& before, const StrobeArrays& strobes,
               F&& capture) {
  for (std::size_t from = 0; from < strobes.size(); from += block) {
    const std::size_t n = std::min(block, strobes.size() - from);
    limits.check(strobes, from, n, before);
    capture(from, n);
  }
}

} // namespace

ArrayCapture::ArrayCapture(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx,
                           const ReaderParams& reader)
    : limits_(port, ecb) {
  if (ClosedForm::holds(ecb, pbx, reader)) {
    closed_form_.emplace(port, ecb, pbx, reader);
    return;
  }
  board_.emplace(port, ecb, pbx, reader);
  board_->deliver_to(&taken_);
}

void ArrayCapture::add(const StrobeArrays& strobes, FrameRows* rows) {
  if (strobes.size() == 0) return;
  closed_form_ ? add_in_closed_form(strobes, rows) : add_to_board(strobes, rows);
  before_ = {before_.count + strobes.size(), strobes.time_ns.back()};
}

void ArrayCapture::add_in_closed_form(const StrobeArrays& strobes, FrameRows* rows) {
  if (rows != nullptr) { // room for all rows at once, if the times are in order
    const std::int64_t first = strobes.time_ns.front();
    const std::int64_t last = strobes.time_ns.back();
    if (first >= 0 && first <= last && last <= StrobeArrays::latest_ns)
      rows->reserve(rows->size() + closed_form_->most_frames(first, last, strobes.size()) + short_block + 1);
  }
  in_blocks<short_block>(limits_, before_, strobes,
                         [&](std::size_t from, std::size_t n) { closed_form_->capture(strobes.part(from, n), rows); });
}

void ArrayCapture::add_to_board(const StrobeArrays& strobes, FrameRows* rows) {
  taken_.rows = rows;
  in_blocks<long_block>(limits_, before_, strobes, [&](std::size_t from, std::size_t n) {
    board_->advance(Time::from_ns(strobes.time_ns[from]));
    for (std::size_t i = from; i < from + n; ++i) {
      std::array<std::uint8_t, 4> bytes{};
      for (std::size_t b = 0; b < bytes.size(); ++b) bytes[b] = static_cast<std::uint8_t>(strobes.datum[i] >> 8 * b);
      board_->write(
          {strobes.node[i], Time::from_ns(strobes.time_ns[i]), 0_ps, std::span(bytes).first(board_->datum_bytes())});
    }
  });
}

std::size_t ArrayCapture::complete_rows(const FrameRows& rows) const {
  return closed_form_ ? closed_form_->complete_rows() : rows.size();
}

Counts ArrayCapture::finish(FrameRows* rows) {
  if (closed_form_) return closed_form_->counts();
  taken_.rows = rows;
  board_->finish();
  return board_->counts();
}

Counts capture_arrays(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
                      const StrobeArrays& strobes, FrameRows* rows) {
  ArrayCapture capture(port, ecb, pbx, reader);
  capture.add(strobes, rows);
  return capture.finish(rows);
}

} // namespace hypermon
