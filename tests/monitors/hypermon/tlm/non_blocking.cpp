// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking transport: the four phases of the base protocol through the bus, with their times, and memory
// management.
#include "tests/monitors/hypermon/tlm/chain.hpp"
#include <cstring>

using namespace hypermon;
using namespace hypermon::testing;
using tlm::tlm_phase, tlm::tlm_sync_enum;

namespace {

struct Seen {
  int phase;
  Time time;
  bool operator==(const Seen&) const = default;
};

/// Counts its own deletions.
struct Note : tlm::tlm_extension<Note> {
  static inline int deleted = 0;
  int text = 42;
  ~Note() override { ++deleted; }
  tlm_extension_base* clone() const override { return new Note(*this); }
  void copy_from(const tlm_extension_base& from) override { text = static_cast<const Note&>(from).text; }
};

/// Sends one request at a time, and keeps its data and phases.
struct Initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Initiator> out{"out"};
  PayloadPool pool;
  std::uint32_t value = 0;
  std::vector<Seen> seen;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  std::uint64_t address_at_response = 0;
  tlm::tlm_generic_payload* payload = nullptr;
  bool ends_at_once = true; // answers BEGIN_RESP by TLM_COMPLETED, else by END_RESP of its own

  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    out.register_nb_transport_bw(this, &Initiator::back);
  }
  void request(std::uint64_t address, Time delay = 0_ps) {
    seen.clear();
    value = 0xDEADBEEF;
    payload = &pool.acquire();
    payload->set_auto_extension(new Note);
    payload->set_command(tlm::TLM_READ_COMMAND);
    payload->set_address(address);
    payload->set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload->set_data_length(4);
    payload->set_streaming_width(4);
    payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time annotated = to_sc_time(delay);
    REQUIRE(out->nb_transport_fw(*payload, phase, annotated) == tlm::TLM_ACCEPTED);
  }
  tlm_sync_enum back(tlm::tlm_generic_payload& p, tlm_phase& phase, sc_core::sc_time& delay) {
    REQUIRE(&p == payload);
    seen.push_back({static_cast<int>(static_cast<unsigned>(phase)), absolute(delay)});
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    status = p.get_response_status();
    address_at_response = p.get_address();
    REQUIRE(p.get_extension<Note>()->text == 42);
    if (!ends_at_once) return tlm::TLM_ACCEPTED;
    p.release();
    return tlm::TLM_COMPLETED;
  }
  void end_response() {
    tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    CHECK(out->nb_transport_fw(*payload, phase, delay) == tlm::TLM_COMPLETED);
    payload->release();
  }
};

/// A user's target with its own way through the protocol.
struct Device : sc_core::sc_module {
  tlm_utils::simple_target_socket<Device> in{"in"};
  tlm::tlm_phase answer = tlm::UNINITIALIZED_PHASE; // answer to BEGIN_REQ; UNINITIALIZED_PHASE: early completion
  int ends = 0;
  tlm::tlm_generic_payload* pending = nullptr;

  explicit Device(const sc_core::sc_module_name& name) : sc_module(name) {
    in.register_nb_transport_fw(this, &Device::forward);
  }
  tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      ++ends;
      return tlm::TLM_COMPLETED;
    }
    const auto address = static_cast<std::uint32_t>(p.get_address());
    std::memcpy(p.get_data_ptr(), &address, 4);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    if (answer == tlm::UNINITIALIZED_PHASE) {
      delay += to_sc_time(70_ns);
      return tlm::TLM_COMPLETED;
    }
    phase = answer;
    pending = &p;
    delay += to_sc_time(30_ns);
    return tlm::TLM_UPDATED;
  }
  void respond() {
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    if (in->nb_transport_bw(*pending, phase, delay) == tlm::TLM_COMPLETED) ++ends;
  }
};

void run(Time t) { sc_core::sc_start(to_sc_time(t)); }
Time time_now() { return to_time(sc_core::sc_time_stamp()); }

} // namespace

TEST_CASE("non-blocking requests go through the bus one at a time, with their times, and leave no payload behind") {
  const StrictReports strict;
  const Hardware prototype;
  Ecb ecb("ecb", prototype.port, prototype.ecb, prototype.pbx, prototype.reader, DrainedBy::bus_master);
  Backplane backplane("backplane");
  PerformancePort port("port");
  PbxBus pbx("pbx");
  Device device("device");
  Initiator a("a");
  Initiator b("b");
  Initiator strobes("strobes");
  port.strobe_initiator.bind(backplane.strobe_target[2]);
  strobes.out.bind(backplane.strobe_target[9]);
  backplane.strobe_initiator.bind(ecb.strobe_target);
  constexpr AddressRange device_range{0x8000, 0x100};
  pbx.attach(device.in, device_range);
  pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
  a.out.bind(pbx.pbx_target);
  b.out.bind(pbx.pbx_target);
  run(0_ps);

  constexpr int begin_resp = tlm::BEGIN_RESP;
  constexpr int end_req = tlm::END_REQ;
  const Time word = 800_ns;
  const auto fifo = PbxBus::ecb_frame_fifo.base;

  // A strobe is complete at once, at its annotated time.
  {
    std::uint8_t datum = 6;
    tlm::tlm_generic_payload& p = strobes.pool.acquire();
    set_strobes(p, 0, {&datum, 1});
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = to_sc_time(1600_ns); // window 2
    CHECK(strobes.out->nb_transport_fw(p, phase, delay) == tlm::TLM_COMPLETED);
    CHECK(p.is_response_ok());
    CHECK(p.get_ref_count() == 1);
    p.release();
    CHECK(strobes.pool.in_use() == 0);
  }
  const std::uint8_t nibble[] = {5};
  REQUIRE(port.write(0_ps, 0_ps, nibble) == tlm::TLM_OK_RESPONSE); // window 0
  run(10_us);

  // Both masters at once: a word each, one after the other. The second master's word is the frame's second word.
  Time t = time_now();
  a.request(fifo);
  b.request(fifo);
  CHECK(a.seen.empty());
  run(2 * word - 1_ps);
  CHECK(a.seen == std::vector<Seen>{{begin_resp, t + word}});
  CHECK(a.status == tlm::TLM_OK_RESPONSE);
  CHECK(a.value == 0); // nodes 15 to 8
  CHECK(a.address_at_response == fifo);
  CHECK(b.seen.empty());
  run(1_ps);
  run(0_ps);
  CHECK(b.seen == std::vector<Seen>{{begin_resp, t + 2 * word}});
  CHECK(b.value == 5u << 8);
  run(1_ps);

  // A request is served at its annotated time; an earlier one goes first.
  t = time_now();
  a.request(fifo, 5_us);
  b.request(fifo, 1_us);
  run(7_us);
  CHECK(b.seen == std::vector<Seen>{{begin_resp, t + 1_us + word}});
  CHECK(b.value == 1u << 2); // the vector
  CHECK(a.seen == std::vector<Seen>{{begin_resp, t + 5_us + word}});
  CHECK(a.value == 0); // the window

  // An initiator that does not end its response holds the bus.
  a.ends_at_once = false;
  t = time_now();
  a.request(fifo);
  b.request(fifo);
  run(5_us);
  CHECK(a.seen == std::vector<Seen>{{begin_resp, t + word}});
  CHECK(b.seen.empty());
  const Time end = time_now();
  a.end_response();
  run(5_us);
  CHECK(b.seen == std::vector<Seen>{{begin_resp, end + word}});
  CHECK(a.value == 6u << 4); // the next frame: node 9 of nodes 15 to 8
  CHECK(b.value == 0);       // nodes 7 to 0
  a.ends_at_once = true;

  // Errors are returned as responses, at once.
  t = time_now();
  a.request(0x4);
  run(1_ps);
  CHECK(a.seen == std::vector<Seen>{{begin_resp, t}});
  CHECK(a.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  t = time_now();
  a.request(PbxBus::ecb_base); // control is not for reading
  run(1_ps);
  CHECK(a.seen == std::vector<Seen>{{begin_resp, t}});
  CHECK(a.status == tlm::TLM_COMMAND_ERROR_RESPONSE);

  // Targets may take short cuts: early completion; BEGIN_RESP for an answer; END_REQ first.
  t = time_now();
  a.request(device_range.base + 0x24);
  run(1_us);
  CHECK(a.seen == std::vector<Seen>{{begin_resp, t + 70_ns}});
  CHECK(a.value == 0x24);
  CHECK(a.address_at_response == device_range.base + 0x24);
  CHECK(device.ends == 0);

  device.answer = tlm::BEGIN_RESP;
  t = time_now();
  a.request(device_range.base);
  run(1_us);
  CHECK(a.seen == std::vector<Seen>{{begin_resp, t + 30_ns}});
  CHECK(device.ends == 1);

  device.answer = tlm::END_REQ;
  t = time_now();
  a.request(device_range.base);
  b.request(PbxBus::ecb_base + 4); // waits for the bus
  run(1_us);
  CHECK(a.seen == std::vector<Seen>{{end_req, t + 30_ns}});
  CHECK(b.seen.empty());
  device.respond();
  run(1_ps);
  CHECK(a.seen == std::vector<Seen>{{end_req, t + 30_ns}, {begin_resp, t + 1_us}});
  CHECK(device.ends == 2);
  CHECK(b.seen == std::vector<Seen>{{begin_resp, t + 1_us}});

  // Every payload went back to its pool, which made one, and every automatic extension was deleted once.
  for (Initiator* i : {&a, &b}) {
    CHECK(i->pool.in_use() == 0);
    CHECK(i->pool.made() == 1);
  }
  CHECK(Note::deleted == 12);
}
