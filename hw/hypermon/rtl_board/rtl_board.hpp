// SPDX-License-Identifier: BSD-3-Clause
// A capture board in Verilog as a module of a run. It wraps a model that Verilator made of RTL with the pins of
// docs/reference/board-pins.md.
//
// Edge n of the board's clock is evaluated 1 ps after its time, when every bus access at its time is on the pins. While
// a strobe is held, edges are evaluated at their own time instead, after three delta cycles: the held strobe must enter
// at the first edge with room.
#pragma once
// Verilator's header, which looks for SystemC, must come before SystemC's.
#include <verilated.h>

#include "base/user_error.hpp"
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/rtl_board/model_trace.hpp"
#include "hw/hypermon/rtl_board/pins.hpp"
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/own_board.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <memory>
#include <tlm_utils/simple_target_socket.h>

namespace hypermon {

/// `Model` must have the required pins, and may have any of the optional ones.
template <class Model> class RtlBoard : public OwnBoard, private StrobeTarget {
public:
  tlm::tlm_target_socket<> strobe_target{"strobe_target"};
  tlm_utils::simple_target_socket<RtlBoard> pbx_target{"pbx_target"};

  RtlBoard(const sc_core::sc_module_name& name, const BoardPlace& place)
      : OwnBoard(name), reports_(place.reports), number_(place.board),
        inputs_(static_cast<std::size_t>(place.ecb.inputs)), width_(place.port.width_bits),
        window_cycles_(place.ecb.window_ns.number / clock_ns), word_(place.pbx.word_ns), layout_(place),
        stalls_(place.ecb.node_fifo_full == WhenFull::stall),
        settled_cycles_(2 * window_cycles_ + (place.ecb.vector_fifo_entries + 2) * place.ecb.builder_cycles) {
    require_picoseconds();
    context_.randSeed(static_cast<int>(place.board) + 1); // seed of $random
    model_ = std::make_unique<Model>(&context_, "board");
    if (place.pbx.word_ns.number < clock_ns)
      throw UserError("pbx.word_ns = " + std::to_string(place.pbx.word_ns.number) +
                      ": must be at least 50 with a board in Verilog");
    strobe_target.bind(*this);
    pbx_target.register_b_transport(this, &RtlBoard::access);
    place.strobes.bind(strobe_target);
    place.bus.attach(pbx_target, PbxBus::ecb_registers);
    SC_HAS_PROCESS(RtlBoard);
    SC_METHOD(tick);
    sensitive << tick_;
    dont_initialize();
    model_->clock = 0;
    clear_pins();
    model_->reset = 1;
    eval();
    clock(0);
    model_->reset = 0;
    eval();
    is_idle_ = idle_pin();
  }
  ~RtlBoard() override {
    Verilated::threadContextp(&context_);
    model_->final();
  }

  bool holds(std::uint32_t input) const override { return const_cast<RtlBoard*>(this)->holds_now(input); }
  const sc_core::sc_event* room() const override { return has_hold && stalls_ ? &room_ : nullptr; }
  bool empty() const override {
    if (!strobes_.empty() || !bus_.empty() || waiting_ != 0) return false;
    return has_idle ? is_idle_ : period_ - busy_until_ >= settled_cycles_;
  }
  const sc_core::sc_event* frame_waits() const override { return &frame_waits_; }
  void report(BoardValues& values) const override {
    values.add("cycles_clocked", static_cast<double>(cycles_clocked_), "",
               "Number of clock cycles in which the RTL was simulated. The board was idle in all others.");
  }

  void trace(TracedSignals& signals) override { trace_.begin(*model_, signals); }

private:
  static constexpr std::int64_t clock_ns = 50;
  static constexpr std::int64_t clock_ps = clock_ns * 1000;
  static constexpr std::int64_t never = Time::never().ps() / clock_ps;
  static constexpr std::int64_t patience = 20'000'000; // cycles, 1 s
  static constexpr int delta_cycles = 3;

  // --- Pins that a board may lack

  static constexpr bool has_flag = requires(Model m) { m.flag; };
  static constexpr bool has_hold = requires(Model m) { m.hold; };
  static constexpr bool has_idle = requires(Model m) { m.idle; };
  static constexpr bool skips = has_idle && requires(Model m) {
    m.skip;
    m.skip_cycle;
    m.skip_window;
  };
  static constexpr bool has_frames_waiting = requires(Model m) { m.frames_waiting; };

  struct Strobe {
    std::int64_t ps;
    std::uint32_t input;
    std::uint32_t datum;
    bool flagged;
    std::int64_t period() const { return ps / clock_ps; }
  };
  /// The bus pins in the period before `edge`.
  struct BusPins {
    std::int64_t edge;
    bool begins = false;
    bool ends = false;
    bool writes = false;
    std::uint32_t written = 0;
  };
  /// Layout of a frame, as far as needed to recognise the frame's last word.
  struct Layout {
    std::size_t vector_at;
    std::size_t stamp_words;
    bool on_request;
    explicit Layout(const BoardPlace& place)
        : vector_at(static_cast<std::size_t>(
              (place.ecb.inputs * bits_per_word(place.port.width_bits, place.ecb.accumulate_bits) + 31) / 32)),
          stamp_words(static_cast<std::size_t>((place.ecb.timestamp_bits + 31) / 32)),
          on_request(place.ecb.timestamp_policy == TimestampPolicy::on_request) {}
    bool is_last(std::size_t word, std::uint32_t vector_word) const {
      const bool stamped = !on_request || (vector_word & FrameFormat::stamped_bit) != 0;
      return word == vector_at + (stamped ? stamp_words : 0);
    }
  };

  static std::int64_t now_ps() { return to_time(sc_core::sc_time_stamp()).ps(); }
  static std::int64_t edge_at_or_after(std::int64_t ps) { return (ps + clock_ps - 1) / clock_ps; }
  [[noreturn]] void fail(const std::string& what) const {
    throw UserError("ecb.rtl: board " + std::to_string(number_) + " " + what);
  }

  // --- Strobes

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const std::size_t bytes = static_cast<std::size_t>(width_ + 7) / 8;
    const auto* burst = payload.template get_extension<BurstExtension>();
    tlm::tlm_response_status status = check_strobes(payload, inputs_, bytes, burst);
    if (status == tlm::TLM_OK_RESPONSE && payload.get_data_length() != bytes) status = tlm::TLM_BURST_ERROR_RESPONSE;
    payload.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) return;
    const std::int64_t ps = absolute(delay).ps();
    std::uint32_t datum = 0;
    for (std::size_t b = 0; b < bytes; ++b) datum |= std::uint32_t{payload.get_data_ptr()[b]} << (8 * b);
    datum &= ~std::uint32_t{0} >> (32 - width_);
    strobes_.push_back(
        {ps, static_cast<std::uint32_t>(payload.get_address()), datum, burst != nullptr && burst->flag_first});
    arm();
  }

  /// True also at an edge that is not evaluated yet. The node then strobes in the same instant, after that edge.
  bool holds_now(std::uint32_t input) {
    if constexpr (!has_hold) return false;
    if (!stalls_) return false;
    const std::int64_t ps = now_ps();
    clock_before(ps);
    const std::int64_t edge = ps / clock_ps;
    const bool edge_is_open = ps % clock_ps == 0 && edge > period_ && !(frozen() && next_pins() >= edge);
    const bool same_input = std::any_of(strobes_.begin(), strobes_.end(), [&](auto& s) { return s.input == input; });
    if (!edge_is_open && !same_input && !would_hold(input)) return false;
    held_ |= std::uint32_t{1} << input;
    if (held_since_ == never) held_since_ = ps / clock_ps;
    arm();
    return true;
  }
  bool would_hold(std::uint32_t input) {
    if constexpr (!has_hold)
      return false;
    else {
      clear_pins();
      raise_strobes(ps_of_period(std::max(period_, now_ps() / clock_ps)));
      if ((low_strobe() >> input & 1) == 0) rtl::set(model_->strobe, input, 1);
      eval();
      const bool held = (rtl::low_bits(model_->hold) >> input & 1) != 0;
      clear_pins();
      eval();
      return held;
    }
  }
  static std::int64_t ps_of_period(std::int64_t period) { return period * clock_ps; }
  std::uint32_t low_strobe() const { return static_cast<std::uint32_t>(rtl::low_bits(model_->strobe)); }

  // --- Registers

  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const RegisterInfo* which = find_register(payload.get_address());
    const tlm::tlm_response_status status = check_access(payload, which);
    payload.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) return;
    if (delay != sc_core::SC_ZERO_TIME) {
      sc_core::wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    std::uint32_t value = 0;
    if (payload.is_write()) {
      std::memcpy(&value, payload.get_data_ptr(), sizeof value);
      return write_control(value);
    }
    value = which->offset == PbxRegister::frame_fifo ? read_word() : read_register(which->offset);
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  }

  /// Reads status or frame count, which takes no time. A frame whose last word was read at this edge no longer waits.
  std::uint32_t read_register(PbxRegister which) {
    clock_before(now_ps());
    const std::uint32_t value = peek(which);
    if (!leaves_) return value;
    const std::uint64_t waiting = count_frames() - 1;
    if (which == PbxRegister::frame_count)
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(waiting, mask(info(PbxRegister::frame_count))));
    return waiting == 0 ? value & ~status_bits::frame_available : value;
  }
  std::uint32_t peek(PbxRegister which) {
    const auto before = model_->bus_address;
    model_->bus_address = static_cast<std::uint32_t>(which);
    eval();
    const std::uint32_t value = model_->bus_read;
    model_->bus_address = before;
    eval();
    return value;
  }
  std::uint64_t count_frames() {
    if constexpr (has_frames_waiting)
      return model_->frames_waiting;
    else
      return peek(PbxRegister::frame_count);
  }

  std::uint32_t read_word() {
    clock_before(now_ps());
    if (!in_frame_ && count_frames() > (leaves_ ? 1u : 0u)) {
      in_frame_ = true;
      word_index_ = 0;
    }
    pins_before(next_edge()).begins = true;
    arm();
    const std::uint64_t resets = resets_;
    sc_core::wait(to_sc_time(word_));
    clock_before(now_ps());
    const std::uint32_t value = peek(PbxRegister::frame_fifo);
    if (resets != resets_) return value;
    pins_before(next_edge()).ends = true;
    if (in_frame_) {
      if (word_index_ == layout_.vector_at) vector_word_ = value;
      leaves_ = word_index_ >= layout_.vector_at && layout_.is_last(word_index_, vector_word_);
      in_frame_ = !leaves_;
      ++word_index_;
    }
    arm();
    return value;
  }
  void write_control(std::uint32_t value) {
    clock_before(now_ps());
    const bool resets = (value & control_bits::reset) != 0;
    const bool bus_is_busy = !bus_.empty() && bus_.back().edge >= next_edge();
    BusPins& pins = pins_before(next_edge() + (bus_is_busy && !resets ? 1 : 0));
    pins.begins = pins.ends = pins.writes = true;
    pins.written = value;
    if (resets) {
      in_frame_ = leaves_ = false;
      ++resets_;
    }
    arm();
  }
  std::int64_t next_edge() const {
    const std::int64_t edge = std::max(edge_at_or_after(now_ps()), period_ + 1);
    return bus_.empty() ? edge : std::max(edge, bus_.back().edge);
  }
  BusPins& pins_before(std::int64_t edge) {
    if (bus_.empty() || bus_.back().edge != edge) bus_.push_back({edge});
    return bus_.back();
  }

  /// $finish and $random are those of the thread's context. All boards run in one thread.
  void eval() {
    Verilated::threadContextp(&context_);
    model_->eval();
  }

  // --- Clock. The model is in the period after edge `period_`.

  void start_of_simulation() override { arm(); }
  void tick() {
    const std::int64_t ps = now_ps();
    const bool at_edge = ps % clock_ps == 0;
    if (held_ != 0 && at_edge && ps / clock_ps > period_) {
      if (tick_edge_ != ps) deltas_ = 0;
      tick_edge_ = ps;
      if (deltas_++ < delta_cycles) return tick_.notify(sc_core::SC_ZERO_TIME);
      clock_to(ps / clock_ps);
    } else {
      clock_before(ps);
    }
    if (held_ != 0) make_room();
    watch(ps / clock_ps);
    arm();
  }
  void arm() {
    const std::int64_t edge = frozen() ? next_pins() == never ? never : next_pins() + 1 : period_ + 1;
    if (edge == never) {
      if (held_ != 0) watchdog_at(held_since_ + patience + 1);
      return;
    }
    const std::int64_t at = edge * clock_ps + (held_ != 0 ? 0 : 1);
    tick_.notify(to_sc_time(Time::from_ps(std::max<std::int64_t>(at - now_ps(), 0))));
  }
  void watchdog_at(std::int64_t period) {
    if (period * clock_ps > now_ps()) tick_.notify(to_sc_time(Time::from_ps(period * clock_ps - now_ps())));
  }

  /// True if only the window counter changes, and it can be loaded.
  bool frozen() const { return skips && is_idle_; }
  /// Evaluates all edges before `ps` at which something can change.
  void clock_before(std::int64_t ps) { clock_to((ps - 1) / clock_ps); }
  void clock_to(std::int64_t edge) {
    while (period_ < edge) {
      const std::int64_t next = frozen() ? next_pins() : period_;
      if (next >= edge) return; // stays frozen until then
      if (next > period_ + 1)
        skip_to(next);
      else
        one_cycle();
    }
  }
  /// First period from now on in which pins are high.
  std::int64_t next_pins() const {
    std::int64_t next = never;
    if (!strobes_.empty()) next = strobes_.front().period();
    if (!bus_.empty()) next = std::min(next, bus_.front().edge - 1);
    return next == never ? never : std::max(next, period_);
  }

  void clear_pins() {
    rtl::clear(model_->strobe);
    rtl::clear(model_->data);
    if constexpr (has_flag) rtl::clear(model_->flag);
    model_->bus_begin = model_->bus_end = model_->bus_write = 0;
    model_->bus_address = static_cast<std::uint32_t>(PbxRegister::frame_fifo);
    model_->bus_written = 0;
    if constexpr (skips) model_->skip = 0;
  }
  /// An edge, at which the pins are those of the last evaluation. `clears`: whether pins are high that go down after
  /// it.
  void clock(std::int64_t edge, bool clears = true) {
    model_->clock = 1;
    eval();
    trace_.show(edge * clock_ps);
    model_->clock = 0;
    if (clears) clear_pins();
    eval();
    trace_.show(edge * clock_ps + clock_ps / 2);
    ++cycles_clocked_;
    if (context_.gotFinish()) fail("ends the simulation ($finish or $stop)");
  }

  void skip_to(std::int64_t period) {
    if constexpr (skips) {
      const std::int64_t since_reset = period - origin_;
      model_->skip = 1;
      model_->skip_cycle = static_cast<std::uint32_t>(since_reset % window_cycles_);
      model_->skip_window = static_cast<std::uint64_t>(since_reset / window_cycles_);
      eval();
      trace_.show(period * clock_ps - clock_ps / 4);
      clock(period);
      period_ = period;
      is_idle_ = idle_pin();
    }
  }
  bool idle_pin() {
    if constexpr (has_idle)
      return model_->idle != 0;
    else
      return false;
  }

  /// Period `period_`, and the edge that ends it.
  void one_cycle() {
    const std::int64_t edge = period_ + 1;
    bool driven = raise_strobes(ps_of_period(period_));
    bool resets = false;
    if (!bus_.empty() && bus_.front().edge <= edge) {
      driven = true;
      const BusPins pins = bus_.front();
      bus_.pop_front();
      model_->bus_begin = pins.begins;
      model_->bus_end = pins.ends;
      model_->bus_write = pins.writes;
      if (pins.writes) model_->bus_address = static_cast<std::uint32_t>(PbxRegister::control);
      model_->bus_written = pins.written;
      resets = pins.writes && (pins.written & control_bits::reset) != 0;
      busy_until_ = edge;
    }
    if (driven) eval();
    report_losses(edge);
    remove_taken_strobes();
    if (driven) trace_.show(edge * clock_ps - clock_ps / 4);
    clock(edge, driven);
    period_ = edge;
    if (resets) origin_ = edge;
    is_idle_ = idle_pin();
    follow_frames();
  }

  /// The strobes of the period that begins at `begin`; a second one of an input waits for the next period.
  /// Returns whether there is any.
  bool raise_strobes(std::int64_t begin) {
    bool any = false;
    for (const Strobe& s : strobes_) {
      if (s.ps >= begin + clock_ps) break;
      if ((low_strobe() >> s.input & 1) != 0) continue;
      any = true;
      rtl::set(model_->strobe, s.input, 1);
      rtl::set(model_->data, s.input * static_cast<std::size_t>(width_), s.datum);
      if constexpr (has_flag)
        if (s.flagged) rtl::set(model_->flag, s.input, 1);
    }
    return any;
  }
  void remove_taken_strobes() {
    std::uint32_t on_pins = low_strobe();
    if (on_pins == 0) return;
    busy_until_ = period_ + 1;
    std::uint32_t held = 0;
    if constexpr (has_hold) held = on_pins & static_cast<std::uint32_t>(rtl::low_bits(model_->hold));
    if (held != 0 && !stalls_)
      fail("holds a strobe of input " + std::to_string(std::countr_zero(held)) +
           ", but nodes wait only with ecb.node_fifo_full = stall");
    // A held strobe stays, and so do later ones of its input.
    std::erase_if(strobes_, [&](const Strobe& s) {
      const std::uint32_t bit = std::uint32_t{1} << s.input;
      if ((on_pins & bit) == 0) return false;
      on_pins &= ~bit;
      return (held & bit) == 0;
    });
  }

  void follow_frames() {
    const std::uint64_t known = waiting_ - (leaves_ ? 1 : 0);
    const std::uint64_t before = std::exchange(waiting_, count_frames());
    leaves_ = false;
    if (waiting_ != 0) busy_until_ = period_;
    if (waiting_ != before) reports_.frames_waiting(waiting_);
    if (waiting_ > known) frame_waits_.notify(sc_core::SC_ZERO_TIME);
  }

  void make_room() {
    const std::uint32_t asked = held_;
    for (std::uint32_t left = asked; left != 0; left &= left - 1) {
      const auto input = static_cast<std::uint32_t>(std::countr_zero(left));
      if (std::none_of(strobes_.begin(), strobes_.end(), [&](auto& s) { return s.input == input; }) &&
          !would_hold(input))
        held_ &= ~(std::uint32_t{1} << input);
    }
    if (held_ == 0) held_since_ = never;
    if (held_ != asked) room_.notify(sc_core::SC_ZERO_TIME);
  }

  // --- Reported losses, and boards that would never end a run

  void report_losses(std::int64_t edge) {
    if constexpr (requires(Model m) { m.aliased; }) lose_strobes(model_->aliased, LossCause::aliasing);
    if constexpr (requires(Model m) { m.node_overrun; }) lose_strobes(model_->node_overrun, LossCause::node_overrun);
    if constexpr (requires(Model m) { m.window_lost_of; })
      if (model_->window_lost != 0) {
        std::optional<std::uint64_t> window;
        if constexpr (requires(Model m) { m.window_lost_at; }) window = rtl::low_bits(model_->window_lost_at);
        lose_words(model_->window_lost_of, LossCause::window_lost, window, edge);
      }
    if constexpr (requires(Model m) { m.frame_lost_of; })
      if (model_->frame_lost != 0) {
        std::optional<std::uint64_t> window;
        if constexpr (requires(Model m) { m.frame_lost_at; }) window = rtl::low_bits(model_->frame_lost_at);
        lose_words(model_->frame_lost_of, LossCause::frame_lost, window, edge);
      }
  }
  template <class Pins> void lose_strobes(const Pins& pins, LossCause cause) {
    std::uint32_t inputs = static_cast<std::uint32_t>(rtl::low_bits(pins));
    for (const Strobe& s : strobes_) {
      if (inputs == 0) return;
      const std::uint32_t bit = std::uint32_t{1} << s.input;
      if ((inputs & bit) != 0) reports_.lost({s.input, cause, std::nullopt, Time::from_ps(s.ps)});
      inputs &= ~bit;
    }
  }
  template <class Pins>
  void lose_words(const Pins& pins, LossCause cause, std::optional<std::uint64_t> window, std::int64_t edge) {
    for (auto inputs = static_cast<std::uint32_t>(rtl::low_bits(pins)); inputs != 0; inputs &= inputs - 1)
      reports_.lost(
          {static_cast<std::uint32_t>(std::countr_zero(inputs)), cause, window, Time::from_ps(edge * clock_ps)});
  }

  static std::string waiting_signal() { return has_frames_waiting ? "pin frames_waiting" : "register frame_count"; }

  /// Fails if the board has held a strobe or has not been idle for 1 s, because the run would never end.
  void watch(std::int64_t period) {
    if (waiting_ != 0 || in_frame_) {
      if (held_ != 0) held_since_ = period;
      return;
    }
    if (held_ != 0 && period - held_since_ > patience)
      fail("has held the strobe of input " + std::to_string(std::countr_zero(held_)) +
           " for 1 s (pin hold), although no frame waits (" + waiting_signal() + ")");
    if (has_idle && !is_idle_ && strobes_.empty() && bus_.empty() && period_ - busy_until_ > patience + settled_cycles_)
      fail("has not been idle for 1 s after its last strobe (pin idle), although no frame waits (" + waiting_signal() +
           ")");
  }

  BoardReports& reports_;
  std::size_t number_; // of the board in the run
  std::size_t inputs_;
  std::int64_t width_;
  std::int64_t window_cycles_;
  Time word_;
  Layout layout_;
  bool stalls_;
  std::int64_t settled_cycles_; // without `idle`: after these cycles nothing inside becomes a frame
  VerilatedContext context_;
  rtl::ModelTrace trace_{context_};
  std::unique_ptr<Model> model_;

  std::int64_t period_ = 0;
  std::int64_t origin_ = 0; // edge of the last reset
  std::int64_t busy_until_ = 0;
  bool is_idle_ = false;
  std::uint64_t waiting_ = 0;
  std::uint64_t cycles_clocked_ = 0;
  std::deque<Strobe> strobes_; // not yet sampled, in the order of time
  std::deque<BusPins> bus_;    // not yet sampled, in the order of edges
  std::uint64_t resets_ = 0;

  // The frame that is being read.
  bool in_frame_ = false;
  std::size_t word_index_ = 0;
  std::uint32_t vector_word_ = 0;
  bool leaves_ = false; // its last word has been read, but the edge at which it leaves is not evaluated yet

  std::uint32_t held_ = 0; // inputs whose nodes wait for room()
  std::int64_t held_since_ = never;
  std::int64_t tick_edge_ = -1;
  int deltas_ = 0;
  sc_core::sc_event tick_;
  sc_core::sc_event room_;
  sc_core::sc_event frame_waits_;
};

template <class Model> OwnBoard* make_rtl_board(const BoardPlace& place) {
  return new RtlBoard<Model>(("rtl_board" + std::to_string(place.board)).c_str(), place);
}

} // namespace hypermon
