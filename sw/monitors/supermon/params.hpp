// SPDX-License-Identifier: BSD-3-Clause
// Parameters of Supermon's daemons.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class SupermonPlaces : std::uint8_t { beside, first_node };
constexpr auto words_of(SupermonPlaces) { return words("beside", "first_node"); }
enum class SupermonWriter : std::uint8_t { room, taken };
constexpr auto words_of(SupermonWriter) { return words("room", "taken"); }

/// Who is there, what they have, how they are repaired, what it all costs.
struct SupermonParams {
  std::string counters = "cpu.busy cpu.kernel network.bytes_sent network.bytes_received";
  // the tree
  std::int64_t fan_out = 16;
  SupermonPlaces supermons = SupermonPlaces::beside;
  std::string root;
  std::string network;
  bool mon_shares = true;
  // death
  std::string failures;
  bool repair = true;
  Milliseconds timeout_ms = 1000;
  Milliseconds retry_ms = 1000;
  // costs
  Microseconds message_us = 30;
  Nanoseconds parse_ns = 20;
  Nanoseconds print_ns = 20;
  Microseconds kernel_us = 167;
  Megabytes memory_mb = 2;
  // the monhole
  SupermonWriter writer_waits = SupermonWriter::room;
  Bytes socket_bytes = 126976;
  Microseconds write_us = 2250;
  Nanoseconds write_ns = 1;
  Microseconds take_us = 30;
  Seconds linger_s = 1;
};

} // namespace hypermon
