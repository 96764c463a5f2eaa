// SPDX-License-Identifier: BSD-3-Clause
// The generic payload's rules on both sides of the board: what modules must leave alone, what they may not offer.
#include "tests/monitors/hypermon/tlm/chain.hpp"
#include <cstring>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct Unknown : tlm::tlm_extension<Unknown> {
  int value = 7;
  tlm_extension_base* clone() const override { return new Unknown(*this); }
  void copy_from(const tlm_extension_base& from) override { value = static_cast<const Unknown&>(from).value; }
};

struct Master : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Master> out{"out"};
  explicit Master(const sc_core::sc_module_name& name) : sc_module(name) {}
};

// A listener that only observes, or gives a set answer, and keeps its payload if requested.
struct Listener : sc_core::sc_module {
  tlm_utils::simple_target_socket<Listener> in{"in"};
  tlm::tlm_response_status answer = tlm::TLM_INCOMPLETE_RESPONSE;
  std::vector<std::pair<std::uint64_t, Time>> heard;
  std::vector<tlm::tlm_generic_payload*> kept;
  bool keeps = false;
  explicit Listener(const sc_core::sc_module_name& name) : sc_module(name) {
    in.register_b_transport(this, &Listener::listen);
  }
  void listen(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    heard.emplace_back(p.get_address(), absolute(delay));
    p.set_address(99); // its own business
    delay += to_sc_time(1_ms);
    if (answer != tlm::TLM_INCOMPLETE_RESPONSE) p.set_response_status(answer);
    if (!keeps) return;
    p.acquire();
    kept.push_back(&p);
  }
};

} // namespace

TEST_CASE("modules keep to the generic payload's rules") {
  const StrictReports strict;
  const Hardware prototype;
  Ecb ecb("ecb", prototype.port, prototype.ecb, prototype.pbx, prototype.reader, DrainedBy::bus_master);
  PbxBus pbx("pbx");
  Master master("master");
  master.out.bind(pbx.pbx_target);
  pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
  Listener overlapping("overlapping");
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  for (const AddressRange range : {AddressRange{PbxBus::ecb_base + 0xF, 1}, AddressRange{0, PbxBus::ecb_base + 1}})
    CHECK_THROWS(pbx.attach(overlapping.in, range));
  pbx.attach(overlapping.in, {0, PbxBus::ecb_base}); // just before

  Backplane backplane("backplane");
  Erb erb("erb", {});
  PerformancePort port("port");
  PerformancePort beyond("beyond");
  Master writer("writer");
  Listener probe("probe");
  Listener second("second");
  port.strobe_initiator.bind(backplane.strobe_target[3]);
  beyond.strobe_initiator.bind(backplane.strobe_target[31]);
  writer.out.bind(backplane.strobe_target[4]);
  backplane.strobe_initiator.bind(probe.in);
  backplane.strobe_initiator.bind(erb.strobe_target);
  backplane.strobe_initiator.bind(second.in);
  erb.strobe_initiator.bind(ecb.strobe_target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  // The initiator's own attributes, and unknown extensions, must be unchanged afterwards.
  std::uint32_t value = 0;
  auto* data = reinterpret_cast<unsigned char*>(&value);
  Unknown extension;
  tlm::tlm_generic_payload p;
  CHECK(p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
  const auto status_address = PbxBus::ecb_base + static_cast<std::uint64_t>(PbxRegister::status);
  for (const std::uint64_t address : {status_address, std::uint64_t{0x2000}}) {
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_address(address);
    p.set_data_ptr(data);
    p.set_data_length(4);
    p.set_streaming_width(4);
    p.set_dmi_allowed(false);
    p.set_extension(&extension);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    master.out->b_transport(p, delay);
    CHECK(p.get_response_status() ==
          (address == status_address ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE));
    CHECK(p.is_read());
    CHECK(p.get_address() == address);
    CHECK(p.get_data_ptr() == data);
    CHECK(p.get_data_length() == 4);
    CHECK(p.get_streaming_width() == 4);
    CHECK(p.get_byte_enable_ptr() == nullptr);
    CHECK_FALSE(p.is_dmi_allowed());
    CHECK(p.get_extension<Unknown>() == &extension);
    CHECK(extension.value == 7);
  }
  // A streaming width that is larger than the data is as good as equal.
  p.set_address(status_address);
  p.set_streaming_width(64);
  sc_core::sc_time no_delay;
  master.out->b_transport(p, no_delay);
  CHECK(p.is_response_ok());
  p.clear_extension(&extension);

  // DMI: refused, with the region and the kinds of access that this is about.
  tlm::tlm_dmi dmi;
  for (const PbxRegister r :
       {PbxRegister::control, PbxRegister::status, PbxRegister::frame_count, PbxRegister::frame_fifo}) {
    p.set_address(PbxBus::ecb_base + static_cast<std::uint64_t>(r));
    CHECK_FALSE(master.out->get_direct_mem_ptr(p, dmi));
    CHECK(dmi.get_dmi_ptr() == nullptr);
    CHECK(dmi.get_start_address() == PbxBus::ecb_base);
    CHECK(dmi.get_end_address() == PbxBus::ecb_base + pbx_register_bytes - 1);
    CHECK(dmi.is_read_write_allowed());
  }
  p.set_address(0x2004);
  CHECK_FALSE(master.out->get_direct_mem_ptr(p, dmi));
  CHECK(dmi.get_start_address() == 0x2004);
  CHECK(dmi.get_end_address() == 0x2004);
  CHECK_FALSE(writer.out->get_direct_mem_ptr(p, dmi));
  CHECK(writer.out->transport_dbg(p) == 0);
  CHECK(ecb.board().counts().strobes == 0);

  // A backplane carries to all, each with the slot and the time of the strobe, whatever those before did.
  const std::uint8_t nibbles[] = {1, 2};
  Time t = 5_us;
  const auto write = [&](PerformancePort& from) { return from.write(t += 10_us, 1_us, nibbles); };
  CHECK(write(port) == tlm::TLM_OK_RESPONSE);
  for (const Listener* l : {&probe, &second})
    CHECK(l->heard == std::vector<std::pair<std::uint64_t, Time>>{{3, 15_us}});
  // One listener answered OK: OK. None but an error: the error. None at all: incomplete.
  second.answer = tlm::TLM_GENERIC_ERROR_RESPONSE;
  CHECK(write(port) == tlm::TLM_OK_RESPONSE);
  second.answer = tlm::TLM_OK_RESPONSE;
  CHECK(write(beyond) == tlm::TLM_OK_RESPONSE);
  CHECK(backplane.not_captured() == 0);
  second.answer = tlm::TLM_INCOMPLETE_RESPONSE;
  CHECK(write(beyond) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(backplane.not_captured() == std::size(nibbles));

  // A listener that keeps a payload acquires it: the payload is unchanged, and the port continues with another.
  probe.keeps = true;
  CHECK(write(port) == tlm::TLM_OK_RESPONSE);
  CHECK(port.write(t += 10_us, 1_us, {nibbles, 1}) == tlm::TLM_OK_RESPONSE);
  REQUIRE(probe.kept.size() == 2);
  CHECK(probe.kept[0] != probe.kept[1]);
  CHECK(probe.kept[0]->get_data_length() == 2);
  CHECK(probe.kept[0]->get_extension<BurstExtension>()->spacing == 1_us);
  CHECK(probe.kept[1]->get_data_length() == 1);
  probe.keeps = false;
  probe.kept[0]->release();
  CHECK(port.write(t += 10_us, 1_us, {nibbles, 1}) == tlm::TLM_OK_RESPONSE); // the second payload is still kept
  probe.kept[1]->release();
  CHECK(port.write(t += 10_us, 1_us, {nibbles, 1}) == tlm::TLM_OK_RESPONSE);
}

TEST_CASE("a pool's payload is free when its last user released it, and used again") {
  PayloadPool pool;
  tlm::tlm_generic_payload& first = pool.acquire();
  CHECK(first.get_ref_count() == 1);
  first.acquire();
  first.release();
  CHECK(pool.in_use() == 1);
  tlm::tlm_generic_payload& second = pool.acquire();
  CHECK(&second != &first);
  second.release();
  first.release();
  CHECK(pool.in_use() == 0);
  for (int i = 0; i < 10; ++i) pool.acquire().release();
  CHECK(pool.made() == 2);
}
