// SPDX-License-Identifier: BSD-3-Clause
#include "hw/funnel/core/trace_decoder.hpp"

namespace hypermon {

TraceDecoder::TraceDecoder(const TraceFunnelDesign& design)
    : formatted_(design.formatter.format == TraceFormat::frames) {
  for (std::uint32_t i = 0; i < (formatted_ ? design.sources.size() : 1); ++i)
    readers_.emplace_back(design.protocol, i);
}

void TraceDecoder::read(std::span<const std::uint8_t> stream, bool gap, const TraceReader::Emit& emit) {
  if (gap) {
    frames_.lost();
    for (TraceReader& reader : readers_) reader.lost();
  }
  if (!formatted_) return readers_.front().read(stream, emit);
  frames_.read(stream, [&](std::uint32_t source, std::span<const std::uint8_t> bytes) {
    if (source < readers_.size()) readers_[source].read(bytes, emit);
  });
}

} // namespace hypermon
