// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the TCP connections between daemons of monitors (docs/design/tcp.md).
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Which small segments wait for an acknowledgement before they leave.
enum class Nagle : std::uint8_t {
  off,       ///< none (TCP_NODELAY)
  rfc896,    ///< while any data are not acknowledged
  linux_2_2, ///< like rfc896, but only for less than half of a full segment
  minshall,  ///< while another small segment is not acknowledged
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

constexpr auto fields_of(const TcpParams*) {
  using P = TcpParams;
  return fields(
      Field{"mss_bytes", &P::mss_bytes, range(1, 65495), "Data of a full TCP segment (maximum segment size).",
            "RFC 879, IEEE 802.3: 1500 less 40 of IP and TCP"},
      Field{"header_bytes", &P::header_bytes, range(0, 1000),
            "Bytes that a segment occupies on a cable beside its data: IP and TCP 40, Ethernet 14 and 4, preamble 8, "
            "gap 12.",
            "IEEE 802.3; RFC 791, 793"},
      Field{"nagle", &P::nagle,
            "Condition under which a partial segment waits for acknowledgements. off: never. rfc896: while any data "
            "are unacknowledged. linux_2_2: the same, if it is below half of a full segment. minshall: while another "
            "small segment is unacknowledged (Linux since 2.4).",
            "RFC 896; Linux: tcp_snd_test (2.2), tcp_minshall_check (2.4)"},
      Field{"delayed_ack_ms", &P::delayed_ack_ms, range(0, 500),
            "Longest delay of an acknowledgement. A second full segment, or data in the other direction, causes it "
            "earlier. 0: no delay.",
            "RFC 1122 4.2.3.2; Linux: TCP_DELACK_MIN"},
      Field{"quick_acks", &P::quick_acks, range(0, 1000000), "segments",
            "Number of segments at the beginning of a connection, in each direction, that are acknowledged at once.",
            "Linux: TCP_MAX_QUICKACKS is 16; 0 chosen: connections that were opened long before"},
      Field{"buffer_kb", &P::buffer_kb, range(0.001, 1e6), "KB",
            "Data that one end of a connection buffers until they are acknowledged. A write beyond that waits.",
            "Linux 2.2: 64 KiB (net.core.wmem_default)"},
      Field{"segment_us", &P::segment_us, range(0, 1e6),
            "CPU time of an interrupt in the node's kernel for each data segment that it sends or receives.",
            "chosen: a monitor says what its messages cost"},
      Field{"burst_segments", &P::burst_segments, range(1, 1000000), "segments",
            "Largest number of waiting segments that leave an interface as one transfer. 1: each segment is a transfer "
            "of its own.",
            "chosen"},
      Field{"flow_bytes", &P::flow_bytes, range(0, 1e9),
            "Largest transfer, in bytes on the cable, that queues at the two interfaces. Larger transfers share all "
            "links with every other flow.",
            "chosen: a frame"},
      Field{"retry_ms", &P::retry_ms, range(0.001, 1e6),
            "Time after which data to a switched-off computer are sent again. The time doubles with each retry, up to "
            "120 s.",
            "RFC 2988; Linux: TCP_RTO_MIN"},
      Field{"connect_retry_ms", &P::connect_retry_ms, range(0.001, 1e6),
            "Time after which the first segment of a connection to a switched-off computer is sent again. The time "
            "doubles with each retry, up to 120 s.",
            "RFC 1122 4.2.3.1: 3 s"},
      Field{"retries", &P::retries, range(0, 1000), "",
            "Number of retries after which a connection to a switched-off computer ends as if it had been reset.",
            "Linux: net.ipv4.tcp_retries2"});
}
static_assert(all_members_described<TcpParams>());

} // namespace hypermon
