// SPDX-License-Identifier: BSD-3-Clause
// Boards of a user's. ecb.module_options names one:
//   ecb        hypermon's own board, which is drained through its registers
//   silent     the same without reports of losses
//   polled     the same without an event for waiting frames
//   mute       the same with an event that it never notifies
//   hiding     mute, and says that it is empty
//   late       hypermon's own board with a slower frame builder
//   bit:N      hypermon's own board with a wrong bit in the datum of strobe N
//   drop:N     the same without strobe N
//   stamp:N    the same with a wrong timestamp in frame N
//   report:N   the same, which reports the loss of strobe N, but delivers it
//   blind      takes strobes and has no frame
//   inventive  has frames that no node wrote
//   endless    the same, without end
//   full       is never empty
//   stuck      is never empty, and nothing happens in it
//   deaf       refuses reads of its registers
//   slow       is blind, and takes a strobe of an input 20 us after the last one at the earliest
//   closed     holds every strobe for ever
//   none       is not made
#include "hw/hypermon/tlm/ecb.hpp"
#include "hw/hypermon/tlm/own_board.hpp"
#include <algorithm>
#include <array>
#include <deque>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

using namespace hypermon;

namespace {

class Registers { // forwards accesses, passes each word to `word`, and calls `after` after each access
public:
  tlm_utils::simple_target_socket<Registers> from_bus{"from_bus"};
  tlm_utils::simple_initiator_socket<Registers> to_board{"to_board"};
  Registers(std::function<void()> after, std::function<void(std::uint32_t&)> word)
      : after_(std::move(after)), word_(std::move(word)) {
    from_bus.register_b_transport(this, &Registers::b_transport);
  }

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    to_board->b_transport(payload, delay);
    if (payload.get_address() == static_cast<std::uint64_t>(PbxRegister::frame_fifo)) {
      std::uint32_t value = 0;
      std::memcpy(&value, payload.get_data_ptr(), sizeof value);
      word_(value);
      std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    }
    after_();
  }
  std::function<void()> after_;
  std::function<void(std::uint32_t&)> word_;
};

EcbParams params_of(const BoardPlace& place) {
  EcbParams params = place.ecb;
  if (place.options == "late") params.builder_cycles += 3;
  return params;
}

/// The board's edges are simulated 1 ps later: an access at an edge sees the state before it.
class WrappedEcb : public OwnBoard, private StrobeTarget {
public:
  SC_HAS_PROCESS(WrappedEcb);
  explicit WrappedEcb(const BoardPlace& place)
      : OwnBoard("board"), hides_(place.options == "hiding"), mute_(place.options == "mute" || hides_),
        reports_(place.options == "silent" || mute_ ? nullptr : &place.reports), notifies_(place.options != "polled"),
        window_(place.ecb.window_ns),
        data_per_word_(static_cast<std::uint64_t>(data_per_word(place.port.width_bits, place.ecb.accumulate_bits))),
        ecb_("ecb", place.port, params_of(place), place.pbx, ReaderParams{}, DrainedBy::bus_master),
        registers_(
            [this] {
              waits_ = count() > 0;
              arm();
            },
            [this](auto& word) { read(word); }),
        words_(ecb_.board().format().words()) {
    const std::size_t colon = place.options.find(':');
    if (colon != place.options.npos) {
      fault_ = place.options.substr(0, colon);
      place_ = std::stoull(place.options.substr(colon + 1));
    }
    strobe_target.bind(*this);
    place.strobes.bind(strobe_target);
    to_ecb.bind(ecb_.strobe_target);
    place.bus.attach(registers_.from_bus, PbxBus::ecb_registers);
    registers_.to_board.bind(ecb_.pbx_target);
    ecb_.board().on_loss([this](const Loss& loss) { lost(loss); });
    SC_METHOD(follow);
    sensitive << next_;
    dont_initialize();
  }
  bool empty() const override { return hides_ || ecb_.board().empty(); }
  const sc_core::sc_event* frame_waits() const override { return notifies_ ? &frame_ : nullptr; }
  void report(BoardValues& values) const override {
    values.add("most_frames", static_cast<double>(ecb_.board().counts().peak_frame_fifo), "frames",
               "Most frames in the frame FIFO.");
  }

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const auto input = static_cast<std::uint32_t>(payload.get_address());
    const bool faulty = strobes_++ == place_;
    if (faulty && fault_ == "drop") return payload.set_response_status(tlm::TLM_OK_RESPONSE);
    windows_[input].push_back(static_cast<std::uint64_t>(to_time(sc_core::sc_time_stamp()) / window_));
    const unsigned char datum = *payload.get_data_ptr();
    auto wrong = static_cast<unsigned char>(datum ^ 1);
    if (faulty && fault_ == "bit") payload.set_data_ptr(&wrong);
    to_ecb->b_transport(payload, delay);
    if (faulty && fault_ == "report") reports_->lost({input, LossCause::frame_lost, windows_[input].back()});
    arm();
  }
  void read(std::uint32_t& word) { // a word of a frame
    const std::uint64_t number = words_read_++;
    if (fault_ == "stamp" && number == place_ * words_ + words_ - 1) word ^= 4;
  }
  void follow() {
    ecb_.board().advance(std::max(ecb_.board().horizon(), to_time(sc_core::sc_time_stamp())));
    const std::uint64_t peak = ecb_.board().counts().peak_frame_fifo;
    if (reports_ != nullptr && peak > peak_) reports_->frames_waiting(peak_ = peak);
    if (count() > 0 && !waits_ && !mute_) frame_.notify();
    waits_ = count() > 0;
    arm();
  }
  void arm() {
    const Time next = ecb_.board().next_event();
    if (next == Time::never()) return;
    next_.notify(to_sc_time(std::max(next + 1_ps - to_time(sc_core::sc_time_stamp()), 0_ps)));
  }
  std::uint32_t count() const { return ecb_.board().peek(PbxRegister::frame_count); }
  void lost(const Loss& loss) { // called once for each datum of a word
    if (reports_ != nullptr && (loss.sequence + 1) % data_per_word_ == 0)
      reports_->lost({loss.input, loss.cause, windows_[loss.input].at(loss.sequence)});
  }

  bool hides_, mute_;
  BoardReports* reports_;
  bool notifies_;
  Time window_;
  std::uint64_t data_per_word_;
  tlm::tlm_target_socket<> strobe_target{"strobe_target"};
  tlm_utils::simple_initiator_socket<WrappedEcb> to_ecb{"to_ecb"};
  Ecb ecb_;
  Registers registers_;
  sc_core::sc_event next_;
  sc_core::sc_event frame_;
  bool waits_ = false;
  std::uint64_t peak_ = 0;
  std::size_t words_; // words of a frame
  std::string fault_;
  std::uint64_t place_ = 0;
  std::uint64_t strobes_ = 0;
  std::uint64_t words_read_ = 0;
  std::array<std::vector<std::uint64_t>, max_inputs> windows_;
};

/// A board that takes strobes and ignores them.
class OddBoard : public OwnBoard, private StrobeTarget {
public:
  SC_HAS_PROCESS(OddBoard);
  explicit OddBoard(const BoardPlace& place) : OwnBoard("board"), kind_(place.options), format_(place.port, place.ecb) {
    strobe_target.bind(*this);
    place.strobes.bind(strobe_target);
    place.bus.attach(registers, PbxBus::ecb_registers);
    registers.register_b_transport(this, &OddBoard::access);
    if (kind_ == "full") SC_METHOD(tick);
  }
  bool holds(std::uint32_t input) const override {
    if (kind_ == "closed") return true;
    if (kind_ != "slow" || sc_core::sc_time_stamp() >= free_[input]) return false;
    const_cast<sc_core::sc_event&>(room_).notify(free_[input] - sc_core::sc_time_stamp());
    return true;
  }
  const sc_core::sc_event* room() const override { return &room_; }
  bool empty() const override { return kind_ != "full" && kind_ != "stuck" && kind_ != "endless" && frames_.empty(); }
  const sc_core::sc_event* frame_waits() const override { return &frame_; }

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    free_.at(payload.get_address()) = sc_core::sc_time_stamp() + sc_core::sc_time(20, sc_core::SC_US);
    if (kind_ != "inventive" || ++strobes_ % 4 != 0) return;
    EventFrame frame; // data of all inputs, also of those without a node
    frame.vector = format_.vector_mask() & 0xFFFF;
    frame.timestamp = strobes_ & format_.timestamp_mask();
    frame.data.fill(strobes_ & 0xF);
    frames_.push_back(frame);
    frame_.notify();
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    const auto which = static_cast<PbxRegister>(payload.get_address());
    std::uint32_t value = 0;
    if (kind_ == "endless" && frames_.empty()) frames_.emplace_back().vector = 1;
    if (which == PbxRegister::status && !frames_.empty()) value = status_bits::frame_available;
    if (which == PbxRegister::frame_count) value = static_cast<std::uint32_t>(frames_.size());
    if (which == PbxRegister::frame_fifo && !frames_.empty()) {
      value = format_.word(frames_.front(), word_++);
      if (word_ == format_.words()) word_ = 0, frames_.pop_front();
    }
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    payload.set_response_status(kind_ == "deaf" ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
  }
  void tick() { next_trigger(10, sc_core::SC_US); }

  tlm::tlm_target_socket<> strobe_target{"strobe_target"};
  tlm_utils::simple_target_socket<OddBoard> registers{"registers"};
  std::string kind_;
  FrameFormat format_;
  std::deque<EventFrame> frames_;
  std::size_t word_ = 0;
  std::uint32_t strobes_ = 0;
  sc_core::sc_event frame_;
  sc_core::sc_event room_;
  std::array<sc_core::sc_time, max_inputs> free_; // by input: time from which it takes the next strobe
};

OwnBoard* make(const BoardPlace& place) {
  if (place.options == "none") return nullptr;
  constexpr std::array odd{"blind", "inventive", "endless", "full", "stuck", "deaf", "slow", "closed"};
  if (std::find(odd.begin(), odd.end(), place.options) == odd.end()) return new WrappedEcb(place);
  return new OddBoard(place);
}

} // namespace

HYPERMON_OWN_BOARD(make)
