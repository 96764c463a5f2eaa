// SPDX-License-Identifier: BSD-3-Clause
#include "tests/monitors/hypermon/tlm/chain.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct Writer : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Writer> out{"out"};
  tlm_utils::simple_initiator_socket<Writer> pbx{"pbx"}; // binds the board's other side
  explicit Writer(const sc_core::sc_module_name& name) : sc_module(name) {}
  tlm::tlm_response_status send(tlm::tlm_generic_payload& p) {
    sc_core::sc_time delay;
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    out->b_transport(p, delay);
    return p.get_response_status();
  }
};

} // namespace

TEST_CASE("a bad transaction on the strobe side names what is wrong and strobes nothing") {
  const StrictReports strict;
  Ecb ecb("ecb", PortParams{}, EcbParams{}, PbxParams{}, ReaderParams{});
  Writer writer("writer");
  writer.out.bind(ecb.strobe_target);
  writer.pbx.bind(ecb.pbx_target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  unsigned char data[] = {1, 2};
  unsigned char enables[] = {0xFF, 0xFF};
  tlm::tlm_generic_payload p;
  auto good = [&] {
    p.set_command(tlm::TLM_WRITE_COMMAND);
    p.set_address(15);
    p.set_data_ptr(data);
    p.set_data_length(1);
    p.set_streaming_width(1);
    p.set_byte_enable_ptr(nullptr);
  };
  good();
  p.set_address(16);
  CHECK(writer.send(p) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  good();
  p.set_command(tlm::TLM_READ_COMMAND);
  CHECK(writer.send(p) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  good();
  p.set_byte_enable_ptr(enables);
  CHECK(writer.send(p) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  good();
  p.set_data_length(0);
  CHECK(writer.send(p) == tlm::TLM_BURST_ERROR_RESPONSE);
  good();
  p.set_data_length(2); // two data, but no pitch
  p.set_streaming_width(2);
  CHECK(writer.send(p) == tlm::TLM_BURST_ERROR_RESPONSE);
  good();
  p.set_data_length(2);
  CHECK(writer.send(p) == tlm::TLM_BURST_ERROR_RESPONSE);
  good();
  CHECK(writer.send(p) == tlm::TLM_OK_RESPONSE);
  ecb.board().finish();
  CHECK(ecb.board().counts().strobes == 1);
}
