// SPDX-License-Identifier: BSD-3-Clause
// Boards with which a run would never end, or would lose strobes silently, are named. The models are C++ classes with
// the pins of a board: no Verilog is needed.
#include "hw/hypermon/rtl_board/rtl_board.hpp"
#include "tests/catch.hpp"
#include <tlm_utils/simple_initiator_socket.h>

using namespace hypermon;

namespace {

/// A board that captures nothing.
struct Pins {
  std::uint8_t clock = 0, reset = 0, bus_begin = 0, bus_end = 0, bus_write = 0, bus_address = 0, idle = 1, hold = 0;
  std::uint16_t strobe = 0;
  std::uint32_t bus_written = 0, bus_read = 0;
  std::uint64_t data = 0;
  Pins(VerilatedContext* /*context*/, const char* /*name*/) {}
  void eval() {}
  void final() {}
};
struct NeverIdle : Pins {
  using Pins::Pins;
  void eval() { idle = 0; }
};
struct AlwaysHolds : Pins {
  using Pins::Pins;
  void eval() { hold = 1; }
};

template <class Model> class Run : public sc_core::sc_module, BoardReports {
public:
  explicit Run(const sc_core::sc_module_name& name, const EcbParams& ecb, const PbxParams& pbx = {})
      : sc_module(name), ecb_(ecb), pbx_(pbx) {
    const BoardPlace place{0, 16, port_, ecb_, pbx_, none_, none_, strobes_, bus_, *this};
    board_.reset(make_rtl_board<Model>(place));
    registers_.bind(bus_.pbx_target);
    SC_HAS_PROCESS(Run);
    SC_METHOD(strobe);
  }

private:
  void lost(const BoardLoss& /*loss*/) override {}
  void frames_waiting(std::uint64_t /*frames*/) override {}
  // A method: after the first change to a thread's stack, AddressSanitizer takes exceptions for errors (SystemC 2.3.4).
  void strobe() {
    if (sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME) return next_trigger(1, sc_core::SC_US);
    if (board_->holds(0)) return next_trigger(*board_->room());
    std::uint8_t datum = 5;
    tlm::tlm_generic_payload payload;
    set_strobes(payload, 0, {&datum, 1});
    sc_core::sc_time delay;
    strobes_->b_transport(payload, delay);
  }

  PortParams port_;
  EcbParams ecb_;
  PbxParams pbx_;
  std::string none_;
  tlm_utils::simple_initiator_socket<Run> strobes_{"strobes"};
  tlm_utils::simple_initiator_socket<Run> registers_{"registers"};
  PbxBus bus_{"bus"};
  std::unique_ptr<OwnBoard> board_;
};

EcbParams ecb_of(WhenFull node_fifo_full) {
  EcbParams ecb;
  ecb.node_fifo_full = node_fifo_full;
  return ecb;
}

/// The message with which the simulation ends.
std::string message_of_run() {
  try {
    sc_core::sc_start(5, sc_core::SC_SEC);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("a board that is never idle ends the run by name") {
  const Run<NeverIdle> run("run", ecb_of(WhenFull::drop_newest));
  const std::string message = message_of_run();
  CAPTURE(message);
  CHECK(contains(message, "ecb.rtl: board 0 has not been idle for 1 s after its last strobe"));
}

TEST_CASE("a board that holds a strobe for ever ends the run by name") {
  const Run<AlwaysHolds> run("run", ecb_of(WhenFull::stall));
  const std::string message = message_of_run();
  CAPTURE(message);
  CHECK(contains(message, "ecb.rtl: board 0 has held the strobe of input 0 for 1 s"));
}

TEST_CASE("a board that holds a strobe in a run whose nodes do not wait ends the run by name") {
  const Run<AlwaysHolds> run("run", ecb_of(WhenFull::drop_newest));
  const std::string message = message_of_run();
  CAPTURE(message);
  CHECK(contains(message,
                 "ecb.rtl: board 0 holds a strobe of input 0, but nodes wait only with ecb.node_fifo_full = stall"));
}

TEST_CASE("a board with more than one word of the bus in a clock period is refused") {
  PbxParams pbx;
  pbx.word_ns = 49;
  CHECK_THROWS_AS(Run<Pins>("run", {}, pbx), UserError);
}
