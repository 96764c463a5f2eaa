// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/waves/board_waves.hpp"
#include <algorithm>
#include <bit>

namespace hypermon {

namespace {

unsigned bits_for(std::int64_t largest) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(largest)));
}

std::string numbered(const std::string& name, std::size_t i) { return name + "[" + std::to_string(i) + "]"; }

} // namespace

BoardSignals::BoardSignals(const BoardShape& shape) : scope_(shape.name) {
  using enum Signal::Kind;
  const EcbParams& ecb = shape.ecb;
  const auto inputs = static_cast<unsigned>(ecb.inputs);
  const auto stamp = static_cast<unsigned>(ecb.timestamp_bits);
  lines.resize(shape.inputs);
  for (std::size_t i = 0; i < shape.inputs; ++i) {
    lines[i].strobe = add("erb." + numbered("line", i) + ".strobe", event);
    lines[i].data = add("erb." + numbered("line", i) + ".data", value, shape.width);
  }
  for (std::size_t i = 0; i < fault_kinds; ++i) faults[i] = add("erb.fault." + std::string(fault_names[i]), event);
  for (std::size_t i = 0; i < shape.inputs; ++i) {
    lines[i].aliasing = add("ecb." + numbered("input", i) + ".aliasing", event);
    lines[i].node_overrun = add("ecb." + numbered("input", i) + ".node_overrun", event);
    lines[i].lost = add("ecb." + numbered("input", i) + ".lost", event);
    lines[i].held = add("ecb." + numbered("input", i) + ".held", value);
  }
  for (std::size_t i = 0; i < shape.inputs; ++i)
    lines[i].fifo = add("ecb." + numbered("node_fifo", i) + ".level", level, bits_for(ecb.node_fifo_entries));
  vector = add("ecb.sampler.vector", value, inputs);
  vectors = add("ecb.vector_fifo.level", level, bits_for(ecb.vector_fifo_entries));
  vector_lost = add("ecb.vector_fifo.window_lost", event);
  builder = add("ecb.builder.state", state, 2, {"idle", "building", "waiting"});
  builder_vector = add("ecb.builder.vector", value, inputs);
  builder_timestamp = add("ecb.builder.timestamp", value, stamp);
  frames = add("ecb.frame_fifo.level", level, bits_for(ecb.frame_fifo_frames));
  frame_built = add("ecb.frame_fifo.frame_built", event);
  frame_lost = add("ecb.frame_fifo.frame_lost", event);
  oldest_lost = add("ecb.frame_fifo.oldest_lost", event);
  timestamp = add("ecb.timestamp", value, stamp);
  status = add("ecb.status", value, 4);
  reset = add("ecb.reset", event);
  for (std::size_t i = 0; i < loss_causes; ++i) losses[i] = add("loss." + std::string(loss_cause_names[i]), event);
  data_lost = add("loss.data", level, 64);
  std::vector<std::string> registers{"none"};
  for (const RegisterInfo& r : pbx_registers) registers.emplace_back(r.name);
  bus_register = add("pbx.register", state, 3, registers);
  bus_word = add("pbx.word", value, 32);
  bus_word_end = add("pbx.word_end", event);
  control_written = add("pbx.control_written", event);
  status_read = add("pbx.status_read", event);
  count_read = add("pbx.frame_count_read", event);
  reader = add("io_node.state", state, 3, {"idle", "reading", "busy", "stalled", "stopped", "held"});
  reader_word = add("io_node.word", value, bits_for(FrameFormat::max_words));
  reader_group = add("io_node.group", level, bits_for(static_cast<std::int64_t>(Reader::largest_count)));
  reader_look = add("io_node.look", event);
}

std::uint32_t BoardSignals::add(std::string path, Signal::Kind kind, unsigned bits, std::vector<std::string> names) {
  all_.push_back({scope_ + "." + std::move(path), kind, bits, std::move(names)});
  return static_cast<std::uint32_t>(all_.size() - 1);
}

BoardWaves::BoardWaves(const BoardShape& shape, const std::vector<bool>& wanted, Time from, Time to)
    : signals_(shape), values_(signals_.all(), wanted, from), from_(from), to_(to),
      format_(PortParams{.width_bits = shape.width}, shape.ecb), window_(shape.ecb.window_ns), word_(shape.pbx.word_ns),
      timestamp_mask_(format_.timestamp_mask()), oldest_goes_(shape.ecb.frame_fifo_full == WhenFull::drop_oldest),
      is_bus_apart_(shape.is_bus_apart) {}

void BoardWaves::begin(const CaptureBoard& board) {
  const Time now = board.horizon(); // later changes at that time may follow
  const BoardState state = board.state(std::max(now - 1_ps, 0_ps));
  values_.set(signals_.data_lost, 0);
  before_ = state; // changes before that must not be reported
  before_.reader = Reader::Doing::idle;
  timestamp_changes(now);
  show(now, state);
  while (next_word_end_ < now) read_word();
  values_.go_to(std::min(now, from_));
}

void BoardWaves::strobe(std::uint32_t input, Time time, std::uint32_t datum) {
  if (time >= to_ || input >= signals_.lines.size()) return;
  go_to(time);
  values_.mark(signals_.lines[input].strobe);
  values_.set(signals_.lines[input].data, datum);
}

void BoardWaves::lost(const Loss& loss) {
  if (loss.time >= to_ || loss.input >= signals_.lines.size()) return;
  go_to(loss.time);
  const auto& line = signals_.lines[loss.input];
  values_.mark(line.lost);
  if (loss.cause == LossCause::aliasing) values_.mark(line.aliasing);
  if (loss.cause == LossCause::node_overrun) values_.mark(line.node_overrun);
  values_.mark(signals_.losses[static_cast<std::size_t>(loss.cause)]);
  if (loss.time >= from_) values_.set(signals_.data_lost, ++data_lost_);
}

// A fault is reported when the burst is written, before the datum is strobed.
void BoardWaves::fault(const Fault& fault) {
  if (fault.time < to_) faults_.push({fault.time, signals_.faults[static_cast<std::size_t>(fault.kind)]});
}

void BoardWaves::changed(Time time, const BoardState& state) {
  if (time >= to_) return;
  go_to(time);
  show(time, state);
}

void BoardWaves::advance(Time horizon) { go_to(std::min(horizon, to_)); }

// Changes until `time` that need no strobe and no clock edge at which the board acts.
void BoardWaves::go_to(const Time time) {
  for (;;) {
    const Time fault = faults_.empty() ? Time::never() : faults_.top().first;
    const Time next = std::min({next_timestamp_, next_word_end_, reader_free_, fault});
    if (next > time || next >= to_) break;
    values_.go_to(std::max(next, values_.now()));
    if (next == next_timestamp_) timestamp_changes(next);
    if (next == next_word_end_) read_word();
    for (; !faults_.empty() && faults_.top().first == next; faults_.pop()) values_.mark(faults_.top().second);
    if (next == reader_free_) {
      values_.set(signals_.reader, static_cast<std::uint64_t>(Reader::Doing::idle));
      reader_free_ = Time::never();
    }
  }
  values_.go_to(std::max(time, values_.now())); // a reset may have been at an edge before the last strobe
}

// `time` is in a window after the last reset; the timestamp generator shows the number of that window.
void BoardWaves::timestamp_changes(const Time time) {
  const std::int64_t number = (time - before_.origin) / window_;
  values_.set(signals_.timestamp, static_cast<std::uint64_t>(number) & timestamp_mask_);
  if (values_.wants(signals_.timestamp)) next_timestamp_ = before_.origin + window_ * (number + 1);
}

void BoardWaves::show(const Time time, const BoardState& state) {
  const BoardSignals& s = signals_;
  for (std::size_t i = 0; i < s.lines.size(); ++i) {
    values_.set(s.lines[i].fifo, state.node_fifo[i]);
    values_.set(s.lines[i].held, state.held >> i & 1U);
  }
  values_.set(s.vector, state.vector);
  values_.set(s.vectors, state.vector_fifo);
  values_.set(s.builder, static_cast<std::uint64_t>(state.builder.doing));
  values_.set(s.builder_vector, state.builder.vector);
  values_.set(s.builder_timestamp, state.builder.timestamp);
  values_.set(s.frames, state.frame_fifo);
  values_.set(s.status, (state.frames_lost > 0 ? status_bits::frame_overrun : 0) |
                            (state.node_overruns > 0 ? status_bits::node_overrun : 0) |
                            (state.windows_lost > 0 ? status_bits::vector_overrun : 0) |
                            (state.frame_fifo > 0 ? status_bits::frame_available : 0));
  if (state.windows_lost > before_.windows_lost) values_.mark(s.vector_lost);
  if (state.frames_built > before_.frames_built) values_.mark(s.frame_built);
  if (state.frames_lost > before_.frames_lost) {
    values_.mark(s.frame_lost);
    // The newest frame is lost if all frames in the FIFO are being read.
    if (oldest_goes_ && state.frame_fifo > (state.read != nullptr ? 1u : 0u)) values_.mark(s.oldest_lost);
  }
  show_reader(state);
  if (state.origin != before_.origin) {
    before_.origin = state.origin;
    timestamp_changes(time);
    if (state.origin > 0_ps) {
      values_.mark(s.reset);
      values_.mark(s.control_written);
    }
  }
  before_ = state;
  before_.read = nullptr; // is soon invalid
}

void BoardWaves::show_reader(const BoardState& state) {
  using Doing = Reader::Doing;
  const BoardSignals& s = signals_;
  values_.set(s.reader, static_cast<std::uint64_t>(state.reader));
  values_.set(s.reader_group, state.left_of_group);
  const auto frames_left = [](const BoardState& b) { return b.frames_built - b.frames_lost - b.frame_fifo; };
  const bool frame_left = frames_left(state) != frames_left(before_);
  if (before_.left_of_group == (frame_left ? 1u : 0u) && state.left_of_group > 0) {
    values_.mark(s.reader_look);
    values_.mark(s.status_read);
    values_.mark(s.count_read);
  }
  const bool waits = state.reader == Doing::busy || state.reader == Doing::stalled || state.reader == Doing::stopped;
  reader_free_ = waits ? state.reader_until : Time::never();
  if (is_bus_apart_) return;
  if (state.read == nullptr) {
    values_.set(s.bus_register, 0);
    values_.set(s.reader_word, 0);
    next_word_end_ = Time::never();
    word_count_ = 0;
  } else if (before_.reader != Doing::reading || before_.reader_until != state.reader_until) {
    start_reading(*state.read, state.reader_until);
  }
}

void BoardWaves::start_reading(const EventFrame& frame, const Time end) {
  word_count_ = format_.pack(frame, words_);
  words_read_ = 0;
  read_begin_ = end - edge_at_or_after(word_ * static_cast<std::int64_t>(word_count_));
  next_word_end_ = edge_at_or_after(read_begin_ + word_);
  values_.set(signals_.bus_register, 4);
  values_.set(signals_.reader_word, 0);
}

// Word i of a frame whose reading began at edge s ends at the first edge at or after s + (i + 1) words (spec sec. 6).
void BoardWaves::read_word() {
  values_.set(signals_.bus_word, words_[words_read_]);
  values_.mark(signals_.bus_word_end);
  ++words_read_;
  next_word_end_ = words_read_ < word_count_
                       ? edge_at_or_after(read_begin_ + word_ * static_cast<std::int64_t>(words_read_ + 1))
                       : Time::never();
  if (words_read_ < word_count_) values_.set(signals_.reader_word, words_read_);
}

} // namespace hypermon
