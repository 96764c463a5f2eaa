// SPDX-License-Identifier: BSD-3-Clause
// Parameters of HDTrace's recording and of the nodes' power.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class HdtraceOffsets : std::uint8_t { none, begin, ends };
constexpr auto words_of(HdtraceOffsets) { return words("none", "begin", "ends"); }

/// What is recorded, what that costs, where it goes.
struct HdtraceParams {
  bool nested = true;
  bool layers = true;
  Microseconds enter_us = 1;
  Microseconds leave_us = 4;
  Nanoseconds byte_ns = 10;
  Bytes buffer_bytes = 1 << 20;
  std::string server;
  double disk_mb_per_s = 104.8576;
  Milliseconds disk_seek_ms = 10;
  Megabytes capacity_mb = 100000;
  Milliseconds sample_ms = 1000;
  Microseconds sample_us = 200;
  HdtraceOffsets offsets = HdtraceOffsets::none;
  std::string network;
  std::int64_t probes = 8;
  WholeNanoseconds resolution_ns = 1000;
};

/// A model of states: what a node and a server take in each, and how that is read.
struct PowerParams {
  double base_w = 6.305;
  double memory_w = 13.585;
  double idle_w = 28.072;
  double computing_w = 58;
  double waiting_w = 45;
  double nic_idle_w = 0.78;
  double nic_w = 2;
  double disk_idle_w = 4.42;
  double disk_w = 7.02;
  double supply = 0.35;
  double nic_mb_per_s = 128;
  double disk_mb_per_s = 104.8576;
  Milliseconds meter_ms = 50;
  double resolution_w = 0.01;
  double voltage_v = 230;
};

} // namespace hypermon
