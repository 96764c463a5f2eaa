// SPDX-License-Identifier: BSD-3-Clause
// Whatever is accessed through the sockets is answered as the declared table says, and nothing else happens.
#include "tests/monitors/hypermon/tlm/chain.hpp"
#include <cstring>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct Master : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Master> out{"out"};
  explicit Master(const sc_core::sc_module_name& name) : sc_module(name) {}
};

/// A random transaction; mostly one that a register may take.
struct Access32 {
  std::uint64_t offset;
  tlm::tlm_command command;
  unsigned length;
  unsigned streaming;
  bool enables;

  explicit Access32(Random& r)
      : offset(static_cast<std::uint64_t>(r.one_in(4) ? r.below(24) : 4 * r.below(6))),
        command(r.one_in(3)   ? tlm::TLM_WRITE_COMMAND
                : r.one_in(8) ? tlm::TLM_IGNORE_COMMAND
                              : tlm::TLM_READ_COMMAND),
        length(static_cast<unsigned>(r.one_in(4) ? r.below(9) : 4)),
        streaming(static_cast<unsigned>(r.one_in(5) ? r.below(9) : length)), enables(r.one_in(8)) {}

  /// Expected response, from the table alone.
  tlm::tlm_response_status expected() const {
    const RegisterInfo* found = nullptr;
    for (const RegisterInfo& r : pbx_registers)
      if (static_cast<std::uint64_t>(r.offset) == offset) found = &r;
    if (offset >= pbx_register_bytes) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (command == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE; // without a known extension
    if (found == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (enables) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (length != 4 || streaming < 4) return tlm::TLM_BURST_ERROR_RESPONSE;
    const bool reads = command == tlm::TLM_READ_COMMAND;
    const bool may = found->access == hypermon::Access::read_write ||
                     found->access == (reads ? hypermon::Access::read_only : hypermon::Access::write_only);
    return may ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
};

} // namespace

TEST_CASE("registers accept and refuse accesses, including debug accesses, as their table says") {
  const StrictReports strict;
  const Hardware prototype;
  Ecb ecb("ecb", prototype.port, prototype.ecb, prototype.pbx, prototype.reader, DrainedBy::bus_master);
  PbxBus pbx("pbx");
  PerformancePort port("port");
  Master master("master");
  port.strobe_initiator.bind(ecb.strobe_target);
  master.out.bind(pbx.pbx_target);
  pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  Random r(5);
  const std::vector<std::uint8_t> nibbles(2000, 7);
  REQUIRE(port.write(1_us, 1_us, nibbles) == tlm::TLM_OK_RESPONSE);
  CaptureBoard& board = ecb.board();
  std::array<unsigned char, 16> data{};
  unsigned char enables[] = {0xFF, 0xFF, 0xFF, 0xFF};
  std::array<int, 2> of_table{}; // refused, taken
  int words = 0;                 // words of frames
  Time now = 10_us;
  for (int n = 0; n < 4000; ++n, now += Time::from_ps(r.below(2'000'000))) {
    const Access32 access(r);
    data.fill(0xEE);
    if (access.command == tlm::TLM_WRITE_COMMAND) data.fill(static_cast<unsigned char>(r.one_in(20) ? 0xFF : 0xFE));
    tlm::tlm_generic_payload p;
    p.set_command(access.command);
    p.set_address(pbx_register_base + access.offset);
    p.set_data_ptr(data.data());
    p.set_data_length(access.length);
    p.set_streaming_width(access.streaming);
    p.set_byte_enable_ptr(access.enables ? enables : nullptr);
    p.set_byte_enable_length(access.enables ? 4 : 0);

    // A debug access returns the bytes of readable registers, whatever its shape, and changes nothing.
    const Counts before = board.counts();
    const unsigned seen = master.out->transport_dbg(p);
    unsigned readable = 0;
    for (; readable < access.length && access.command == tlm::TLM_READ_COMMAND; ++readable) {
      const std::uint64_t at = access.offset + readable;
      const RegisterInfo* found = find_register(at / 4 * 4);
      if (access.offset >= pbx_register_bytes || found == nullptr || found->access == hypermon::Access::write_only)
        break;
      REQUIRE(data[readable] == static_cast<unsigned char>(board.peek(found->offset) >> (8 * (at % 4))));
    }
    REQUIRE(seen == readable);
    REQUIRE(board.counts() == before);

    const Time horizon = board.horizon();
    sc_core::sc_time delay = annotation(now);
    master.out->b_transport(p, delay);
    CAPTURE(n, access.offset, access.command, access.length, access.streaming, access.enables);
    REQUIRE(p.get_response_status() == access.expected());
    ++of_table[p.is_response_ok() ? 1 : 0];
    if (p.is_response_error()) {
      REQUIRE(absolute(delay) == now); // a refused access takes no time and has no effect
      REQUIRE(board.horizon() == horizon);
      REQUIRE(board.counts() == before);
      continue;
    }
    const RegisterInfo& which = *find_register(access.offset);
    if (p.is_read()) {
      std::uint32_t value = 0;
      std::memcpy(&value, data.data(), sizeof value);
      REQUIRE((value & ~mask(which)) == 0);
      words += which.offset == PbxRegister::frame_fifo && value != 0 ? 1 : 0;
    }
    // A word's time goes by where a read has an effect.
    REQUIRE(absolute(delay) - now == (which.side_effects ? 800_ns : 0_ps));
    now = absolute(delay);
  }
  for (const int some : of_table) CHECK(some > 400);
  CHECK(words > 50);
}
