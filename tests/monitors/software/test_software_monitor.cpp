// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/report.hpp"
#include "sw/monitors/software/software.hpp"

#include "tests/catch.hpp"

#include <stdexcept>

using namespace hypermon;

namespace {

constexpr EventType type = EventType::syscall_entry;

Emission at(Time start) { return {NodeId{0}, {type, {1, 0, 0}}, start, 0, MessageSide::none}; }

Json report(const Monitor& monitor) {
  Json result;
  Results results(result);
  monitor.report(results, {}, 1000_ms);
  return result;
}

} // namespace

TEST_CASE("a record costs its bytes, on the node's own crystal") {
  SoftwareParams params;
  params.us_per_byte = 3;
  const double drift = 1e-3;
  SoftwareMonitor monitor(params, {NodeClock(drift, {}, 1_us)});
  const Time nominal = 3_us * Catalogue::nx2().software_bytes(type);
  CHECK(monitor.emit(at({})) == nominal + Time::from_ps(nominal.ps() / 1000));
}

TEST_CASE("the event that does not fit into the buffer is lost, and the ledger says so") {
  SoftwareParams params;
  const std::int64_t bytes = Catalogue::nx2().software_bytes(type);
  params.buffer_bytes = 3 * bytes + 1;
  SoftwareMonitor monitor(params, {NodeClock{}});
  for (int i = 0; i < 5; ++i) monitor.emit(at(1_ms * i));
  const auto result = report(monitor);
  CHECK(result["logged_bytes"] == 3 * bytes);
  CHECK(result["ledger"]["generated"]["events"] == 5);
  CHECK(result["ledger"]["delivered"]["events"] == 3);
  CHECK(result["ledger"]["lost"][0]["cause"] == "buffer_full");
  CHECK(result["ledger"]["lost"][0]["bytes"] == 2 * bytes);
  CHECK(result["monitor"]["first_overrun_s"] == 0.003); // the fourth, at 3 ms
}

TEST_CASE("memory keeps what fits to the last byte, and a record that is lost costs as much as one that is kept") {
  SoftwareParams params;
  params.buffer_bytes = 2 * Catalogue::nx2().software_bytes(type);
  SoftwareMonitor monitor(params, {NodeClock{}});
  const auto kept = monitor.emit(at({}));
  CHECK(kept > Time{});
  CHECK(monitor.emit(at(1_ms)) == kept);
  CHECK(monitor.emit(at(2_ms)) == kept);
  CHECK(report(monitor)["ledger"]["delivered"]["events"] == 2);
}

TEST_CASE("the order of a message is checked with the clocks of its sender and receiver") {
  SoftwareMonitor monitor(SoftwareParams{}, {NodeClock(0, 7_us, 1_us), NodeClock(0, {}, 1_us)});
  const auto emit = [&](std::uint32_t node, Time start, std::uint64_t message, MessageSide side) {
    monitor.emit({NodeId{node}, {type, {1, 0, 0}}, start, message, side});
  };
  emit(0, 1000_us, 1, MessageSide::send); // stamped 1007 us
  emit(1, 1006_us, 1, MessageSide::receive);
  emit(0, 2000_us, 2, MessageSide::send);
  emit(1, 2008_us, 2, MessageSide::receive);
  CHECK(report(monitor)["causality_violations"] == 1);
}

TEST_CASE("software timestamps show the clock's offset, drift and resolution") {
  SoftwareMonitor monitor(SoftwareParams{}, {NodeClock(0, 7_us, 1_us)});
  monitor.emit(at(Time::from_ns(1500)));
  const auto error = report(monitor)["timestamp_error_us"];
  CHECK(error["min"] == 6.5); // 1.5 us + 7 us, shown as 8 us
  CHECK(error["max"] == 6.5);
}

TEST_CASE("a ledger that does not balance is an internal error") {
  Ledger ledger("bytes");
  ledger.generated = {10, 1};
  ledger.delivered = {9, 1};
  CHECK_THROWS_AS(ledger_values(ledger), std::logic_error);
  ledger.delivered = {10, 0};
  CHECK_THROWS_AS(ledger_values(ledger), std::logic_error);
  ledger.in_flight = {0, 1};
  CHECK_NOTHROW(ledger_values(ledger));
}
