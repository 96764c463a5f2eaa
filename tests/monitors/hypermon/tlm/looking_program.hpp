// SPDX-License-Identifier: BSD-3-Clause
// The prototype's drain program as its documents have it (spec sec. 3), naively: it knows of the board what the
// registers say, and looks at every clock edge while nothing waits.
#pragma once
#include "hw/hypermon/tlm/ecb.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon::testing {

struct LookingProgram : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<LookingProgram> pbx_initiator{"pbx_initiator"};
  FrameFormat format;
  ReaderParams reader;
  std::vector<DeliveredFrame> frames;

  LookingProgram(const sc_core::sc_module_name& name, const FrameFormat& f, const ReaderParams& r)
      : sc_module(name), format(f), reader(r.kind == ReaderKind::ideal ? ReaderParams{} : r) {
    SC_HAS_PROCESS(LookingProgram);
    SC_THREAD(run);
  }

private:
  void run() {
    std::int64_t since_stall = 0;
    for (;;) {
      const Time begin = to_time(sc_core::sc_time_stamp());
      const bool available = (read(PbxRegister::status) & status_bits::frame_available) != 0;
      wait_to_edge(0_ps); // where the read takes time
      if (!available) {
        if (to_time(sc_core::sc_time_stamp()) == begin) wait(to_sc_time(clock_period));
        continue;
      }
      const std::uint32_t count = read(PbxRegister::frame_count);
      wait_to_edge(0_ps);
      wait_to_edge(Time{reader.group_ns});
      for (std::uint32_t i = 0; i < count; ++i) {
        read_frame();
        wait_to_edge(Time{reader.frame_ns});
      }
      since_stall += count;
      if (reader.stall_every_frames == 0 || since_stall < reader.stall_every_frames) continue;
      wait_to_edge(Time{reader.stall_ns});
      since_stall = 0;
    }
  }
  void read_frame() {
    std::array<std::uint32_t, FrameFormat::max_words> words{};
    std::size_t n = 0;
    const auto read_words = [&](std::size_t until) {
      for (; n < until; ++n) words[n] = read(PbxRegister::frame_fifo);
    };
    read_words(format.words(false)); // the vector word says whether a timestamp follows
    if (format.is_stamped(words[n - 1])) read_words(format.words(true));
    wait_to_edge(0_ps);
    frames.push_back({format.unpack({words.data(), n}), to_time(sc_core::sc_time_stamp())});
  }
  std::uint32_t read(PbxRegister which) {
    const auto [value, delay] = access(which);
    if (delay > sc_core::SC_ZERO_TIME) wait(delay); // without a payload, which would leak if the simulation ended here
    return value;
  }
  std::pair<std::uint32_t, sc_core::sc_time> access(PbxRegister which) {
    std::uint32_t value = 0;
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_address(PbxBus::ecb_base + static_cast<std::uint64_t>(which));
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    p.set_data_length(sizeof value);
    p.set_streaming_width(sizeof value);
    sc_core::sc_time delay;
    pbx_initiator->b_transport(p, delay);
    if (p.is_response_error()) SC_REPORT_ERROR("looking_program", p.get_response_string().c_str());
    return {value, delay};
  }
  void wait_to_edge(Time t) {
    const Time now = to_time(sc_core::sc_time_stamp());
    const Time pause = edge_at_or_after(now + t) - now;
    if (pause > 0_ps) wait(to_sc_time(pause));
  }
};

} // namespace hypermon::testing
