// SPDX-License-Identifier: BSD-3-Clause
// Decodes the stream that reaches the analyst into the sources' messages.
#pragma once
#include "hw/funnel/core/design.hpp"
#include "hw/funnel/core/formatter.hpp"
#include "hw/funnel/core/protocol.hpp"

namespace hypermon {

class TraceDecoder {
public:
  explicit TraceDecoder(const TraceFunnelDesign& design);

  /// Decodes the next bytes of the stream. `gap`: bytes are missing before them, so every source waits for a sync.
  void read(std::span<const std::uint8_t> stream, bool gap, const TraceReader::Emit& emit);

private:
  bool formatted_;
  TraceDeformatter frames_;
  std::vector<TraceReader> readers_; // one reader for each source, or one for all
};

} // namespace hypermon
