// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the TCP connections that daemons of monitors speak over (docs/design/tcp.md).
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Which small segment waits for an acknowledgement before it leaves.
enum class Nagle : std::uint8_t {
  off,       ///< none (TCP_NODELAY)
  rfc896,    ///< behind anything that is not acknowledged
  linux_2_2, ///< the same, but only below half of a full segment
  minshall,  ///< behind another small one that is not acknowledged
};
constexpr auto words_of(Nagle) { return words("off", "rfc896", "linux_2_2", "minshall"); }

struct TcpParams {
  Bytes mss_bytes = 1460;
  Bytes header_bytes = 78;
  Nagle nagle = Nagle::minshall;
  Milliseconds delayed_ack_ms = 40;
  std::int64_t quick_acks = 0;
  double buffer_kb = 65.536;
  Microseconds segment_us = 0;
  std::int64_t burst_segments = 16;
  Bytes flow_bytes = 1538;
  Milliseconds retry_ms = 200;
  Milliseconds connect_retry_ms = 3000;
  std::int64_t retries = 15;
};

} // namespace hypermon
