// SPDX-License-Identifier: BSD-3-Clause
// One board in Verilog with its nodes and its reader, all in SystemC: nodes that wait while the board holds their
// strobes, and the ideal or the group reader on a bus of its own.
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/own_board.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/rtl/random_strobes.hpp"
#include <bit>
#include <map>
#include <memory>
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon::testing {

/// The words of each input, from the strobe that completes them until they are read or lost. It adds the sequence
/// number to each loss that the board reports.
class WordsInside : public BoardReports {
public:
  WordsInside(const PortParams& port, const EcbParams& ecb)
      : data_per_word_(static_cast<std::uint64_t>(data_per_word(port.width_bits, ecb.accumulate_bits))),
        window_(ecb.window_ns), mask_(~std::uint64_t{0} >> (64 - ecb.timestamp_bits)),
        strobes_(static_cast<std::size_t>(ecb.inputs)), words_(strobes_.size()) {}

  void strobe(std::uint32_t input, Time time) {
    std::vector<Time>& strobes = strobes_[input];
    strobes.push_back(time);
    if (strobes.size() % data_per_word_ == 0) words_[input].push_back(strobes.size() - 1);
  }
  void read(const EventFrame& frame) {
    for (std::uint32_t left = frame.vector; left != 0; left &= left - 1)
      take(static_cast<std::uint32_t>(std::countr_zero(left)),
           frame.stamped ? std::optional(frame.timestamp) : std::nullopt);
  }
  const std::vector<Loss>& losses() const { return losses_; }

  void lost(const BoardLoss& loss) override {
    const bool at_strobe = loss.cause == LossCause::aliasing || loss.cause == LossCause::node_overrun;
    const std::uint64_t last = at_strobe ? take_strobe(loss.input, *loss.time) : take(loss.input, loss.window);
    for (std::uint64_t sequence = last + 1 - data_per_word_; sequence <= last; ++sequence)
      losses_.push_back({loss.input, sequence, loss.cause, *loss.time});
  }
  void frames_waiting(std::uint64_t /*frames*/) override {}

private:
  std::uint64_t take_strobe(std::uint32_t input, Time time) {
    std::deque<std::uint64_t>& words = words_[input];
    const auto word =
        std::find_if(words.rbegin(), words.rend(), [&](std::uint64_t last) { return strobes_[input][last] == time; });
    REQUIRE(word != words.rend());
    const std::uint64_t last = *word;
    words.erase(std::next(word).base());
    return last;
  }
  std::uint64_t take(std::uint32_t input, std::optional<std::uint64_t> window) {
    std::deque<std::uint64_t>& words = words_[input];
    const auto word = std::find_if(words.begin(), words.end(), [&](std::uint64_t last) {
      return !window || ((static_cast<std::uint64_t>(strobes_[input][last] / window_) ^ *window) & mask_) == 0;
    });
    REQUIRE(word != words.end());
    const std::uint64_t last = *word;
    words.erase(word);
    return last;
  }

  std::uint64_t data_per_word_;
  Time window_;
  std::uint64_t mask_;
  std::vector<std::vector<Time>> strobes_;
  std::vector<std::deque<std::uint64_t>> words_; // last strobe of each word
  std::vector<Loss> losses_;
};

class BoardBench : public sc_core::sc_module {
public:
  BoardBench(const sc_core::sc_module_name& name, const RtlDesign& design, MakeBoard* make, const PbxParams& pbx,
             const ReaderParams& reader, std::span<const Burst> bursts)
      : sc_module(name), design_(design), pbx_(pbx), reader_(reader), format_(design.port, design.ecb),
        words_(design.port, design.ecb) {
    for (const Burst& burst : bursts) nodes_[burst.input].push_back(burst);
    strobing_ = nodes_.size();
    if (reader_.kind == ReaderKind::ideal)
      reader_.group_ns = reader_.frame_ns = reader_.stall_ns = reader_.stall_every_frames = 0;
    const BoardPlace place{0,
                           static_cast<std::uint32_t>(design.ecb.inputs),
                           design_.port,
                           design_.ecb,
                           pbx_,
                           none_,
                           none_,
                           strobes_,
                           bus_,
                           words_};
    board_.reset(make(place));
    registers_.bind(bus_.pbx_target);
    SC_HAS_PROCESS(BoardBench);
    SC_THREAD(read_frames);
    SC_THREAD(wait_for_end);
    for (const auto& node : nodes_) sc_core::sc_spawn([this, &bursts = node.second] { strobe(bursts); });
    ++running();
  }

  bool is_done() const { return done_; }
  const std::vector<DeliveredFrame>& frames() const { return frames_; }
  const std::vector<Loss>& losses() const { return words_.losses(); }

private:
  static int& running() {
    static int benches = 0;
    return benches;
  }
  static Time now() { return to_time(sc_core::sc_time_stamp()); }
  static void wait_until(Time time) {
    if (time > now()) sc_core::wait(to_sc_time(time - now()));
  }
  static Time edge_at_or_after(Time time) { return Time::from_ps((time.ps() + clock_ps - 1) / clock_ps * clock_ps); }

  void strobe(const std::vector<Burst>& bursts) {
    const std::size_t bytes = bytes_per_datum(design_.port.width_bits);
    Time due;
    for (const Burst& burst : bursts) {
      due = std::max(due, burst.first);
      for (std::size_t at = 0; at < burst.data.size(); at += bytes) {
        if (at > 0) due += burst.spacing;
        wait_until(due);
        while (board_->holds(burst.input)) sc_core::wait(*board_->room());
        due = now();
        words_.strobe(burst.input, due);
        write(burst.input, burst.data.subspan(at, bytes), burst.flag_first && at == 0);
      }
    }
    --strobing_;
  }
  void write(std::uint32_t input, std::span<const std::uint8_t> datum, bool flagged) {
    tlm::tlm_generic_payload payload;
    set_strobes(payload, input, datum);
    BurstExtension flag;
    flag.flag_first = flagged;
    payload.set_extension(&flag);
    sc_core::sc_time delay;
    strobes_->b_transport(payload, delay);
    payload.clear_extension(&flag);
    REQUIRE(payload.is_response_ok());
  }

  void read_frames() {
    std::uint64_t left = 0;
    std::int64_t since_stall = 0;
    for (;;) {
      if (left == 0) {
        left = access(PbxRegister::frame_count);
        REQUIRE((access(PbxRegister::status) & status_bits::frame_available) ==
                (left != 0 ? status_bits::frame_available : 0));
        if (left == 0) {
          sc_core::wait(*board_->frame_waits());
          wait_until(edge_at_or_after(now() + 1_ps));
          continue;
        }
        wait_until(edge_at_or_after(now() + Time(reader_.group_ns)));
      }
      read_frame();
      --left;
      ++since_stall;
      Time next = now() + edge_at_or_after(reader_.frame_ns);
      if (left == 0 && reader_.stall_every_frames > 0 && since_stall >= reader_.stall_every_frames) {
        next += edge_at_or_after(reader_.stall_ns);
        since_stall = 0;
      }
      wait_until(next);
    }
  }
  void read_frame() {
    std::array<std::uint32_t, FrameFormat::max_words> words{};
    const std::size_t vector_at = format_.data_words();
    for (std::size_t n = 0; n <= vector_at || n < format_.words(format_.is_stamped(words[vector_at])); ++n)
      words[n] = access(PbxRegister::frame_fifo);
    wait_until(edge_at_or_after(now()));
    frames_.push_back({format_.unpack(words), now()});
    words_.read(frames_.back().frame);
  }
  std::uint32_t access(PbxRegister which) {
    std::uint32_t value = 0;
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(PbxBus::ecb_base + static_cast<std::uint64_t>(which));
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    sc_core::sc_time delay;
    registers_->b_transport(payload, delay);
    sc_core::wait(delay);
    REQUIRE(payload.is_response_ok());
    return value;
  }

  void wait_for_end() {
    while (strobing_ > 0 || !board_->empty()) sc_core::wait(20, sc_core::SC_US);
    done_ = true;
    if (--running() == 0) sc_core::sc_stop();
  }

  const RtlDesign& design_;
  PbxParams pbx_;
  ReaderParams reader_;
  std::string none_;
  FrameFormat format_;
  WordsInside words_;
  std::map<std::uint32_t, std::vector<Burst>> nodes_;
  std::size_t strobing_ = 0;
  bool done_ = false;
  std::vector<DeliveredFrame> frames_;
  tlm_utils::simple_initiator_socket<BoardBench> strobes_{"strobes"};
  tlm_utils::simple_initiator_socket<BoardBench> registers_{"registers"};
  PbxBus bus_{"bus"};
  std::unique_ptr<OwnBoard> board_;
};

} // namespace hypermon::testing
