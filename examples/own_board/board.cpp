// SPDX-License-Identifier: BSD-3-Clause
// A capture board with one memory: a strobe writes its datum straight into the newest frame. There are no node FIFOs,
// no FIFO of strobe vectors and no frame builder, so nothing but this memory can overrun.
//
//   ecb.frame_fifo_frames = 1024   depth of the memory
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/own_board.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <cstring>
#include <deque>
#include <stdexcept>
#include <tlm_utils/simple_target_socket.h>

namespace {

using hypermon::BoardPlace;
using hypermon::PbxRegister;
using hypermon::Time;

class OwnBoard : public hypermon::OwnBoard {
public:
  tlm_utils::simple_target_socket<OwnBoard> strobes{"strobes"};
  tlm_utils::simple_target_socket<OwnBoard> registers{"registers"};

  OwnBoard(const sc_core::sc_module_name& name, const BoardPlace& place)
      : hypermon::OwnBoard(name), format_(place.port, place.ecb), window_(place.ecb.window_ns),
        word_(hypermon::to_sc_time(Time{place.pbx.word_ns})),
        depth_(static_cast<std::size_t>(place.ecb.frame_fifo_frames)), reports_(place.reports) {
    if (place.ecb.accumulate_bits > 0 || format_.on_request())
      throw std::runtime_error("this board collects no words, and it stamps every frame");
    if (!place.options.empty()) throw std::runtime_error("this board has no ecb.module_options");
    strobes.register_b_transport(this, &OwnBoard::strobe);
    registers.register_b_transport(this, &OwnBoard::access);
  }

  bool empty() const override { return frames_.empty(); }
  const sc_core::sc_event* frame_waits() const override { return &window_ends_; }
  void report(hypermon::BoardValues& values) const override {
    values.add("most_frames", static_cast<double>(most_), "frames", "Most frames in the memory.");
    values.add("overruns", static_cast<double>(overruns_), "", "Number of times that a datum found the memory full.");
  }

  void trace(hypermon::TracedSignals& signals) override {
    signals.add("frames", 14, [this] { return frames_.size(); });
    signals.add("waiting", 14, [this] { return waiting(); });
    signals.add("newest.vector", 32, [this] { return frames_.empty() ? 0 : frames_.back().vector; });
    signals.add("newest.window", 32, [this] { return newest_window_; });
    signals.add("overruns", 32, [this] { return overruns_; });
  }

private:
  /// Number of the window at SystemC's time, which is the timestamp.
  std::uint64_t window() const {
    return static_cast<std::uint64_t>(hypermon::to_time(sc_core::sc_time_stamp()) / window_);
  }

  // The datum goes into the frame of this window, which is the newest one or begins now.
  void strobe(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const auto input = static_cast<std::uint32_t>(payload.get_address());
    const std::uint64_t now = window();
    if (frames_.empty() || newest_window_ != now) {
      if (frames_.size() == depth_) {
        ++overruns_;
        return reports_.lost({input, hypermon::LossCause::frame_lost, now});
      }
      frames_.emplace_back().timestamp = now & format_.timestamp_mask();
      newest_window_ = now;
      most_ = std::max(most_, frames_.size());
      reports_.frames_waiting(frames_.size());
      const Time end = window_ * static_cast<std::int64_t>(now + 1);
      window_ends_.notify(hypermon::to_sc_time(end) - sc_core::sc_time_stamp());
    } else if (frames_.back().has(input)) {
      return reports_.lost({input, hypermon::LossCause::aliasing, now});
    }
    hypermon::EventFrame& frame = frames_.back();
    frame.vector |= 1u << input;
    std::memcpy(&frame.data[input], payload.get_data_ptr(), payload.get_data_length());
  }

  /// Frames that can be read: those of windows that have ended.
  std::size_t waiting() const { return frames_.size() - (!frames_.empty() && newest_window_ == window() ? 1 : 0); }

  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const auto which = static_cast<PbxRegister>(payload.get_address());
    std::uint32_t value = 0;
    if (which == PbxRegister::status) {
      value = (waiting() > 0 ? hypermon::status_bits::frame_available : 0) |
              (overruns_ > 0 ? hypermon::status_bits::frame_overrun : 0);
    } else if (which == PbxRegister::frame_count) {
      value = static_cast<std::uint32_t>(std::min<std::size_t>(waiting(), 4095));
    } else if (which == PbxRegister::frame_fifo && payload.is_read()) {
      value = next_word();
      delay += word_;
    } else {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE); // this board cannot be reset
    }
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  }

  std::uint32_t next_word() {
    if (waiting() == 0) return 0;
    const std::uint32_t value = format_.word(frames_.front(), word_index_);
    if (++word_index_ == format_.words()) {
      word_index_ = 0;
      frames_.pop_front();
      reports_.frames_waiting(frames_.size());
    }
    return value;
  }

  hypermon::FrameFormat format_;
  Time window_;
  sc_core::sc_time word_; // time of a word on the bus
  std::size_t depth_;
  hypermon::BoardReports& reports_;
  std::deque<hypermon::EventFrame> frames_; // oldest first; the newest may still be written
  std::uint64_t newest_window_ = 0;
  std::size_t word_index_ = 0;
  sc_core::sc_event window_ends_;
  std::size_t most_ = 0;
  std::uint64_t overruns_ = 0;
};

hypermon::OwnBoard* make(const BoardPlace& place) {
  auto* board = new OwnBoard(("own_board" + std::to_string(place.board)).c_str(), place);
  place.strobes.bind(board->strobes);
  place.bus.attach(board->registers, hypermon::PbxBus::ecb_registers);
  return board;
}

} // namespace

HYPERMON_OWN_BOARD(make)
