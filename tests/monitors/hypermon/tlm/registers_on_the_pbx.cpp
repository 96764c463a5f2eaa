// SPDX-License-Identifier: BSD-3-Clause
// The register table (spec sec. 3) through the bus: good accesses, bad ones, debug transport, DMI.
#include "hw/hypermon/core/registers.hpp"
#include "tests/monitors/hypermon/tlm/chain.hpp"
#include <cstring>

using namespace hypermon;
using namespace hypermon::testing;
using tlm::tlm_response_status;

namespace {

// A bus master that the test drives by hand.
struct DrivenMaster : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<DrivenMaster> out{"out"};
  explicit DrivenMaster(const sc_core::sc_module_name& name) : sc_module(name) {}

  struct Answer {
    tlm_response_status status;
    std::uint32_t value;
    Time delay;
  };
  Answer access(tlm::tlm_command command, std::uint64_t address, std::uint32_t value, Time at, unsigned length = 4,
                unsigned streaming = 4, unsigned char* enables = nullptr) {
    tlm::tlm_generic_payload p;
    std::array<std::uint32_t, 2> data{value, 0};
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(data.data()));
    p.set_data_length(length);
    p.set_streaming_width(streaming);
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(enables ? 4 : 0);
    sc_core::sc_time delay = annotation(at);
    out->b_transport(p, delay);
    return {p.get_response_status(), data[0], absolute(delay) - at};
  }
  static std::uint64_t address(PbxRegister r) { return PbxBus::ecb_base + static_cast<std::uint64_t>(r); }
  Answer read(PbxRegister r, Time at) { return access(tlm::TLM_READ_COMMAND, address(r), 0xDEADBEEF, at); }
  Answer write(PbxRegister r, std::uint32_t value, Time at) {
    return access(tlm::TLM_WRITE_COMMAND, address(r), value, at);
  }
  unsigned peek(PbxRegister r, std::uint32_t& value, tlm::tlm_command command = tlm::TLM_READ_COMMAND) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address(r));
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    p.set_data_length(4);
    return out->transport_dbg(p);
  }
};

// A chain whose I/O node does nothing: the master has its own bus to the board.
struct RegisterBench {
  Hardware hardware;
  Ecb ecb{"ecb", hardware.port, hardware.ecb, hardware.pbx, hardware.reader, DrainedBy::bus_master};
  PbxBus pbx{"pbx"};
  DrivenMaster master{"master"};
  Backplane backplane{"backplane"};
  PerformancePort port{"port"};
  RegisterBench() {
    master.out.bind(pbx.pbx_target);
    pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
    port.strobe_initiator.bind(backplane.strobe_target[3]);
    backplane.strobe_initiator.bind(ecb.strobe_target);
  }
};

constexpr PbxRegister all[] = {PbxRegister::control, PbxRegister::status, PbxRegister::frame_count,
                               PbxRegister::frame_fifo};

} // namespace

TEST_CASE("the PBX registers answer as the contract says") {
  const StrictReports strict;
  RegisterBench b;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const std::uint8_t nibbles[] = {5, 9};
  // Two windows apart: frames with timestamps 0 and 2.
  REQUIRE(b.port.write(0_ns, 1600_ns, nibbles) == tlm::TLM_OK_RESPONSE);
  const Time first_built = 800_ns + cycles(1 + 8); // window end n, pop n + 1, push n + 9 (sec. 2)
  const Time second_built = first_built + 1600_ns;

  // The frame is not there at its edge, and there after it.
  CHECK(b.master.read(PbxRegister::status, first_built).value == 0);
  CHECK(b.master.read(PbxRegister::frame_count, first_built).value == 0);
  const auto status = b.master.read(PbxRegister::status, first_built + clock_period);
  CHECK(status.status == tlm::TLM_OK_RESPONSE);
  CHECK(status.value == status_bits::frame_available);
  CHECK(b.master.read(PbxRegister::frame_count, second_built).value == 1);
  Time now = second_built + clock_period;
  CHECK(b.master.read(PbxRegister::frame_count, now).value == 2);

  // For each wrong access, the response names the fault, returns no data and changes nothing.
  using tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND;
  unsigned char enables[4] = {0xFF, 0xFF, 0xFF, 0xFF};
  for (const PbxRegister r : all) {
    CAPTURE(find_register(static_cast<std::uint64_t>(r))->name);
    const bool reads = find_register(static_cast<std::uint64_t>(r))->access == Access::read_only;
    const auto right = reads ? TLM_READ_COMMAND : TLM_WRITE_COMMAND;
    const auto wrong = reads ? TLM_WRITE_COMMAND : TLM_READ_COMMAND;
    const auto address = DrivenMaster::address(r);
    auto refused = [&](DrivenMaster::Answer a, tlm_response_status why) {
      CHECK(a.status == why);
      CHECK(a.value == 1);
      CHECK(a.delay == 0_ps);
    };
    refused(b.master.access(wrong, address, 1, now), tlm::TLM_COMMAND_ERROR_RESPONSE);
    refused(b.master.access(tlm::TLM_IGNORE_COMMAND, address, 1, now), tlm::TLM_COMMAND_ERROR_RESPONSE);
    for (unsigned length : {0u, 1u, 2u, 3u, 8u})
      refused(b.master.access(right, address, 1, now, length, 8), tlm::TLM_BURST_ERROR_RESPONSE);
    refused(b.master.access(right, address, 1, now, 4, 2), tlm::TLM_BURST_ERROR_RESPONSE);
    refused(b.master.access(right, address, 1, now, 4, 4, enables), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    for (std::uint64_t off : {1u, 2u, 3u})
      refused(b.master.access(right, address + off, 1, now), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  for (std::uint64_t outside : {std::uint64_t{0}, PbxBus::ecb_base - 4, PbxBus::ecb_base + pbx_register_bytes})
    for (auto command : {TLM_READ_COMMAND, TLM_WRITE_COMMAND})
      CHECK(b.master.access(command, outside, 1, now).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(b.master.read(PbxRegister::frame_count, now).value == 2);

  // A debug access reads the same values and changes nothing; it neither writes nor reads the write-only register.
  // There is no DMI.
  std::uint32_t value = 0;
  for (int twice = 0; twice < 2; ++twice) {
    CHECK(b.master.peek(PbxRegister::frame_fifo, value) == 4);
    CHECK(value == 0); // word 0: nodes 15 to 8
    CHECK(b.master.peek(PbxRegister::frame_count, value) == 4);
    CHECK(value == 2);
  }
  // Any address and length: bytes up to the first that cannot be read. Streaming width and byte enables do not count.
  std::array<unsigned char, 64> image{};
  auto debug = [&](std::uint64_t offset, unsigned length) {
    tlm::tlm_generic_payload p;
    image.fill(0xEE);
    p.set_command(TLM_READ_COMMAND);
    p.set_address(PbxBus::ecb_base + offset);
    p.set_data_ptr(image.data());
    p.set_data_length(length);
    p.set_streaming_width(1);
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(4);
    return b.master.out->transport_dbg(p);
  };
  CHECK(debug(0x0, 64) == 0); // control
  CHECK(debug(0x4, 64) == 12);
  CHECK(image[0] == status_bits::frame_available);
  CHECK(image[4] == 2);
  CHECK(image[12] == 0xEE);
  CHECK(debug(0x7, 3) == 3); // status' last byte, count's first two
  CHECK(image[0] == 0);
  CHECK(image[1] == 2);
  CHECK(image[3] == 0xEE);
  CHECK(debug(0x4, 0) == 0);
  CHECK(debug(0xF, 2) == 1);
  CHECK(b.master.read(PbxRegister::frame_count, now).value == 2);
  CHECK(b.master.peek(PbxRegister::control, value) == 0);
  CHECK(b.master.peek(PbxRegister::status, value, TLM_WRITE_COMMAND) == 0);
  tlm::tlm_generic_payload payload;
  tlm::tlm_dmi dmi;
  payload.set_address(DrivenMaster::address(PbxRegister::status));
  CHECK_FALSE(b.master.out->get_direct_mem_ptr(payload, dmi));

  // Word by word, 800 ns each: word 1 has node 3's nibble in bits 15..12, word 2 the vector, word 3 the window.
  const std::uint32_t expected[] = {0, 5u << 12, 1u << 3, 0};
  for (const std::uint32_t word : expected) {
    CHECK(b.master.read(PbxRegister::frame_count, now).value == 2);
    const auto a = b.master.read(PbxRegister::frame_fifo, now);
    CHECK(a.status == tlm::TLM_OK_RESPONSE);
    CHECK(a.value == word);
    CHECK(a.delay == 800_ns);
    now += a.delay;
  }
  CHECK(b.master.read(PbxRegister::frame_count, now).value == 1); // it left at the end of its fourth word
  for (const std::uint32_t word : {0u, 9u << 12, 1u << 3, 2u}) {
    CHECK(b.master.read(PbxRegister::frame_fifo, now).value == word);
    now += 800_ns;
  }
  // Empty FIFO: reads give 0, and nothing changes.
  CHECK(b.master.read(PbxRegister::frame_fifo, now).value == 0);
  CHECK(b.master.read(PbxRegister::frame_fifo, now + 800_ns).value == 0);
  now += 1600_ns;
  CHECK(b.ecb.board().counts().drained == 2);

  // Only bit 0 of control resets.
  REQUIRE(b.port.write(now, 800_ns, nibbles) == tlm::TLM_OK_RESPONSE);
  now += 4_us;
  CHECK(b.master.write(PbxRegister::control, 0xFE, now).status == tlm::TLM_OK_RESPONSE);
  CHECK(b.master.read(PbxRegister::frame_count, now).value == 2);
  CHECK(b.master.write(PbxRegister::control, 0x01, now).status == tlm::TLM_OK_RESPONSE);
  CHECK(b.master.read(PbxRegister::frame_count, now).value == 0);
  CHECK(b.master.read(PbxRegister::status, now).value == 0);
}
