// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the TCP connections that daemons of monitors speak over (docs/design/tcp.md).
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

constexpr auto fields_of(const TcpParams*) {
  using P = TcpParams;
  return fields(
      Field{"mss_bytes", &P::mss_bytes, range(1, 65495), "Data of a full segment.",
            "RFC 879, IEEE 802.3: 1500 less 40 of IP and TCP"},
      Field{"header_bytes", &P::header_bytes, range(0, 1000),
            "What a segment takes of a cable beside its data: IP and TCP 40, Ethernet 14 and 4, preamble 8, gap 12.",
            "IEEE 802.3; RFC 791, 793"},
      Field{"nagle", &P::nagle,
            "Which segment that is not full waits: none; behind anything that is not acknowledged; the same if it is "
            "below half of a full one, as Linux 2.2; behind another small one that is not acknowledged, as Linux since "
            "2.4.",
            "RFC 896; Linux: tcp_snd_test (2.2), tcp_minshall_check (2.4)"},
      Field{"delayed_ack_ms", &P::delayed_ack_ms, range(0, 500),
            "Data that nothing else acknowledges are acknowledged so much later: neither two full segments nor data "
            "the other way; 0: at once.",
            "RFC 1122 4.2.3.2; Linux: TCP_DELACK_MIN"},
      Field{"quick_acks", &P::quick_acks, range(0, 1000000), "segments",
            "So many of a connection, in each direction, are acknowledged at once.",
            "Linux: TCP_MAX_QUICKACKS is 16; 0 chosen: connections that have long been there"},
      Field{"buffer_kb", &P::buffer_kb, range(0.001, 1e6), "KB",
            "Data that an end of a connection keeps until they are acknowledged; who writes more waits.",
            "Linux 2.2: 64 KiB (net.core.wmem_default)"},
      Field{"segment_us", &P::segment_us, range(0, 1e6),
            "CPU time of a node's kernel for each segment with data that it sends or receives: an interrupt.",
            "chosen: a monitor says what its messages cost"},
      Field{"burst_segments", &P::burst_segments, range(1, 1000000), "segments",
            "Up to so many that wait at an interface leave as one transfer; 1: each is one of its own.", "chosen"},
      Field{"flow_bytes", &P::flow_bytes, range(0, 1e9),
            "Transfers up to this size on the cable queue at the two interfaces behind each other; larger ones share "
            "all links with every other.",
            "chosen: a frame"},
      Field{"retry_ms", &P::retry_ms, range(0.001, 1e6),
            "Who sends to a computer that is off asks again after this, then twice that, and so on up to 120 s.",
            "RFC 2988; Linux: TCP_RTO_MIN"},
      Field{"connect_retry_ms", &P::connect_retry_ms, range(0.001, 1e6), "The same of a connection's first segment.",
            "RFC 1122 4.2.3.1: 3 s"},
      Field{"retries", &P::retries, range(0, 1000), "", "So often; then the connection is given up, as if reset.",
            "Linux: net.ipv4.tcp_retries2"});
}
static_assert(all_members_described<TcpParams>());

} // namespace hypermon
