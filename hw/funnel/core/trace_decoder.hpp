// SPDX-License-Identifier: BSD-3-Clause
// The stream that reaches the analyst, back to the sources' messages.
#pragma once
#include "hw/funnel/core/design.hpp"
#include "hw/funnel/core/formatter.hpp"
#include "hw/funnel/core/protocol.hpp"

namespace hypermon {

class TraceDecoder {
public:
  explicit TraceDecoder(const TraceFunnelDesign& design);

  /// The next bytes of the stream; `gap`: some are missing before them, and everybody's messages wait for a sync.
  void read(std::span<const std::uint8_t> stream, bool gap, const TraceReader::Tell& tell);

private:
  bool formatted_;
  TraceDeformatter frames_;
  std::vector<TraceReader> readers_; // one a source, or one for all
};

} // namespace hypermon
