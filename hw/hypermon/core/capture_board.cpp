// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/capture_board.hpp"
#include <bit>
#include <stdexcept>

namespace hypermon {

CaptureBoard::CaptureBoard(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx,
                           const ReaderParams& reader, DrainedBy drained_by)
    : format_(port, ecb), window_(ecb.window_ns), word_(pbx.word_ns), burst_start_(pbx.burst_start_ns),
      build_time_(cycles(ecb.builder_cycles)), datum_mask_(mask_of_datum(port.width_bits)),
      data_per_word_(static_cast<std::uint32_t>(data_per_word(port.width_bits, ecb.accumulate_bits))),
      port_bits_(static_cast<std::uint32_t>(port.width_bits)), wrap_frames_(ecb.wrap_frames), drained_by_(drained_by),
      spill_(std::make_shared<SpillFile>()),
      inputs_(static_cast<std::size_t>(ecb.inputs), bytes_per_datum(port.width_bits)), accumulators_(inputs_.size()),
      node_fifos_(inputs_, ecb.node_fifo_entries, ecb.node_fifo_full, most_in_memory_, spill_),
      timestamps_(window_, ecb.timestamp_bits),
      vectors_(ecb.vector_fifo_entries, ecb.vector_fifo_full, DeepQueue<Entry>(most_in_memory_, spill_)),
      frames_(ecb.frame_fifo_frames, ecb.frame_fifo_full, DeepQueue<Built>(most_in_memory_, spill_)),
      reader_(pbx, reader) {
  // If the builder is as fast as the windows (B <= C), an entry is always taken at the next edge: p_(j-1) + B <=
  // n_(j-1) + 1 + C <= n_j + 1. So no level before the frame FIFO ever exceeds 1.
  const bool only_frames_can_fill = build_time_ <= window_ && vectors_.depth() >= 2 && node_fifos_[0].depth() >= 2;
  if (only_frames_can_fill && frames_.policy() != WhenFull::stall && data_per_word_ == 1 && !format_.on_request() &&
      !wrap_frames_ && drained_by == DrainedBy::reader && window_ <= WindowMap::longest_window)
    bulk_ = std::make_unique<Bulk>(Bulk{WindowMap(window_),
                                        {window_, inputs_.datum_bytes(), datum_mask_, timestamps_.mask()},
                                        reader_.read_time(format_.words())});
}

void CaptureBoard::keep_in_memory(const std::size_t items) {
  most_in_memory_ = std::max<std::size_t>(items, 2);
  for (std::size_t i = 0; i < inputs_.size(); ++i) node_fifos_[i].items().keep_in_memory(most_in_memory_);
  vectors_.items().keep_in_memory(most_in_memory_);
  frames_.items().keep_in_memory(most_in_memory_);
}

void CaptureBoard::power_on_with(std::span<const EventFrame> garbage) {
  for (const EventFrame& frame : garbage)
    if (!frames_.full()) frames_.push({frame, {}, 0, Time::never(), true});
  next_edge_ = next_edge(now_);
}

void CaptureBoard::write(const Burst& burst) {
  if (burst.first < horizon_) throw std::logic_error("internal: burst before the board's horizon");
  inputs_.write(burst);
}

void CaptureBoard::advance(const Time horizon, const Time lag) {
  if (horizon < horizon_) throw std::logic_error("internal: the board's horizon goes back");
  horizon_ = horizon;
  if (horizon == Time::never() && program_end_ == Time::never()) program_end_ = 0_ps; // program_ends() was not called
  inputs_.set_horizon(horizon);
  if (probe_ == nullptr)
    do_all_before<false>(horizon, lag);
  else
    do_all_before<true>(horizon, lag);
  hand_over();
}

template <bool probed> void CaptureBoard::do_all_before(const Time horizon, const Time lag) {
  for (;;) {
    if (!probed && bulk_ && quiet() && capture_in_bulk(lag)) return;
    const Step step = do_next<probed>(horizon);
    if (step == Step::none) return;
    if (step == Step::edge && delivered_.size() >= most_delivered) [[unlikely]]
      hand_over();
  }
}

// At one time, edges come before strobes.
template <bool probed> CaptureBoard::Step CaptureBoard::do_next(const Time horizon) {
  const Time edge = wrap_frames_ ? std::min(next_edge_, next_wrap()) : next_edge_;
  Input* in = inputs_.earliest();
  if (in != nullptr && in->time < edge) {
    probed ? strobe_and_tell(*in) : strobe(*in);
    return Step::strobe;
  }
  if (edge >= horizon) return Step::none;
  at_edge(edge);
  next_edge_ = next_edge(edge);
  if (probed) probe_->changed(edge, state(edge));
  return Step::edge;
}

bool CaptureBoard::advance_to_action(const Time horizon) {
  if (horizon < horizon_) throw std::logic_error("internal: the board's horizon goes back");
  inputs_.set_horizon(horizon_ = horizon);
  const bool acts = probe_ == nullptr ? do_all_to_action<false>(horizon) : do_all_to_action<true>(horizon);
  hand_over();
  return acts;
}

// After the edge of an action the strobes at that very time remain to be done.
template <bool probed> bool CaptureBoard::do_all_to_action(Time horizon) {
  const std::uint64_t actions = reader_.polls() + reader_.groups();
  const auto acts = [&] { return reads_words() || reader_.polls() + reader_.groups() != actions; };
  for (;;) {
    const Step step = do_next<probed>(horizon);
    if (step == Step::none) return acts();
    if (step == Step::edge && acts()) inputs_.set_horizon(horizon_ = horizon = now_ + 1_ps);
  }
}

// --- strobes (spec sec. 2) ---

void CaptureBoard::strobe(Input& in) {
  Accumulator& word = accumulators_[in.index];
  word.add(inputs_.datum(in) & datum_mask_, port_bits_, in.flagged);
  if (word.data() < data_per_word_) return inputs_.pop(in);

  using Answer = decltype(node_fifos_)::Answer;
  if (sampler_.has(in.index)) {
    ++counts_.aliasing;
    lose(in.index, inputs_.sequence(in), LossCause::aliasing, in.time);
  } else if (const Answer answer = node_fifos_.ask(in); answer == Answer::enters) {
    enter(in, in.time);
  } else if (answer == Answer::held) {
    return;
  } else {
    ++counts_.node_overruns;
    lose(in.index, inputs_.sequence(in), LossCause::node_overrun, in.time);
  }
  word.clear();
  inputs_.pop(in);
}

void CaptureBoard::strobe_and_tell(Input& in) {
  const Time time = in.time;
  const std::uint32_t datum = inputs_.datum(in) & datum_mask_;
  strobe(in);
  if (!in.held) probe_->strobe(in.index, time, datum);
  probe_->changed(time, state(time));
}

void CaptureBoard::enter(const Input& in, Time time) {
  const Accumulator& word = accumulators_[in.index];
  node_fifos_[in.index].push({word.value(), inputs_.sequence(in), word.flagged()});
  if (!sampler_.is_open()) {
    sampler_.open(window_of(time));
    next_edge_ = std::min(next_edge_, end_of(sampler_.window()));
  }
  sampler_.strobe(in.index);
}

void CaptureBoard::release_held(Time edge) {
  node_fifos_.release_held(edge, [&](const Input& in) {
    if (probe_ != nullptr) probe_->strobe(in.index, edge, inputs_.datum(in) & datum_mask_);
    enter(in, edge);
    accumulators_[in.index].clear();
  });
}

// --- one edge: decisions use the state before it, all changes happen together (spec sec. 1) ---

void CaptureBoard::at_edge(const Time edge) {
  const std::size_t vectors_before = vectors_.size();
  const std::size_t frames_before = frames_.size() + not_yet_left(edge);
  if (drained_by_ == DrainedBy::words) before_ = {edge, registers_with(waiting_at(edge))};

  std::optional<Built> complete =
      builder_.complete_at(edge) && frames_.accepts(frames_before) ? builder_.leave() : std::nullopt;
  if (!builder_.busy() && vectors_before > 0) take_entry(edge);
  end_window(edge, vectors_before);
  read_at(edge);
  if (complete) push_frame(*complete, edge, frames_before);
  now_ = edge;
  release_held(edge);
}

// The next edge after `now` at which something happens, apart from wraps of the timestamp.
Time CaptureBoard::next_edge(const Time now) const {
  Time next = builder_.next(now, !vectors_.empty(), !frames_.full());
  if (sampler_.is_open()) next = std::min(next, end_of(sampler_.window()));
  if (drained_by_ != DrainedBy::bus_master) return std::min(next, reader_.next(now, unread()));
  return claimed_ > 0 ? std::min(next, frames_.front().leaves) : next;
}

// The builder takes the oldest entry and the oldest word of each flagged input.
void CaptureBoard::take_entry(const Time edge) {
  const Entry entry = vectors_.front();
  vectors_.pop();
  Built& built = builder_.take(edge + build_time_);
  built.window = entry.window;
  built.frame.vector = entry.vector;
  built.frame.stamped = !format_.on_request();
  for (std::uint32_t left = entry.vector; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    const Word& word = node_fifos_[i].front();
    built.frame.data[i] = word.value;
    built.frame.stamped |= word.flagged;
    built.last[i] = word.last;
    node_fifos_[i].pop();
  }
  if (built.frame.stamped) built.frame.timestamp = timestamps_.stamp(entry.window);
}

// End of the first window after now_ that is the last before a wrap; never() if the program has ended by then and no
// strobe follows.
Time CaptureBoard::next_wrap() const {
  const std::uint64_t window = window_of(std::max(now_, origin_)); // the first to end
  const auto wraps = timestamps_.next_wrap(window, Time::never() - std::max(origin_, 0_ps));
  const Time end = wraps ? end_of(*wraps) : Time::never();
  return end <= program_end_ || strobe_to_come() ? end : Time::never();
}

void CaptureBoard::end_window(const Time edge, const std::size_t vectors_before) {
  const bool open = sampler_.is_open() && edge == end_of(sampler_.window());
  const bool wraps = wrap_frames_ && edge == next_wrap();
  if (!open && !wraps) return;
  const Entry entry{open ? sampler_.close() : 0, window_of(edge) - 1};
  const auto lost = vectors_.arrive(entry, vectors_before);
  if (!lost) return;
  ++counts_.windows_lost;
  discard(lost->vector, lost->window == entry.window, edge);
}

// Removes the newest or the oldest word of each flagged input from its FIFO.
void CaptureBoard::discard(std::uint32_t vector, bool newest, Time edge) {
  for (; vector != 0; vector &= vector - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(vector));
    WordFifo& fifo = node_fifos_[i];
    ++counts_.discarded;
    lose(i, newest ? fifo.newest().last : fifo.front().last, LossCause::window_lost, edge);
    if (newest)
      fifo.pop_newest();
    else
      fifo.pop();
  }
}

void CaptureBoard::push_frame(const Built& built, const Time edge, const std::size_t frames_before) {
  ++counts_.frames_built;
  if (built.frame.vector != 0) counts_.merged += static_cast<std::uint64_t>(std::popcount(built.frame.vector)) - 1;
  const std::size_t being_read = drained_by_ != DrainedBy::bus_master ? (reader_.reading() ? 1 : 0) : claimed_;
  if (const auto lost = frames_.arrive(built, frames_before, being_read)) lose_frame(*lost, edge);
  counts_.peak_frame_fifo =
      std::max<std::uint64_t>(counts_.peak_frame_fifo, frames_.size() + not_yet_left(edge + 1_ps));
}

// --- from frame to I/O node (spec sec. 3) ---

void CaptureBoard::read_at(const Time edge) {
  if (drained_by_ == DrainedBy::bus_master) {
    for (; claimed_ > 0 && frames_.front().leaves <= edge; --claimed_) {
      frames_.pop();
      ++counts_.drained;
      counts_.end = edge;
    }
    return;
  }
  if (edge <= followed_until_) return;
  const std::size_t waiting = unread(); // before the edge
  if (reader_.ends_at(edge)) {
    const Drain::Outcome outcome = take_oldest(edge);
    reader_.end_frame(edge, outcome.busy);
    if (outcome.hold) reader_.hold();
  }
  if (!reader_.starts_at(edge, waiting)) return;
  const Time ready = drain_ != nullptr ? edge_at_or_after(drain_->ready(edge)) : edge;
  if (ready != edge)
    reader_.resume(ready);
  else if (drained_by_ == DrainedBy::words)
    reader_.start_words();
  else
    reader_.start_frame(edge, reader_.read_time(format_.words(frames_.front().frame.stamped)));
}

Drain::Outcome CaptureBoard::take_oldest(const Time read_end) {
  const Built& built = frames_.front();
  ++counts_.drained;
  counts_.end = read_end;
  const std::size_t words = format_.words(built.frame.stamped);
  words_drained_ += words;
  Drain::Outcome outcome;
  const bool failed = pbx_faults_ ? pbx_faults_->next_frame_fails(words) : std::exchange(word_failed_, false);
  if (failed) {
    lose(built, LossCause::bus_error, read_end);
  } else {
    if (drain_ != nullptr) outcome = drain_->frame_read(read_end, built.frame, words);
    if (outcome.kept) {
      delivered_.push_back({built.frame, read_end, built.garbage ? Time::never() : end_of(built.window) - window_});
      if (built.garbage) garbage_drained_ += static_cast<std::uint64_t>(std::popcount(built.frame.vector));
    } else {
      lose(built, LossCause::memory_full, read_end);
    }
  }
  frames_.pop();
  return outcome;
}

void CaptureBoard::resume_reader(const Time at) {
  reader_.resume(std::max(at, now_ + clock_period));
  next_edge_ = next_edge(now_);
}

void CaptureBoard::hand_over() {
  if (sink_ == nullptr || delivered_.empty()) return;
  sink_->frames(delivered_);
  delivered_.clear();
}

// --- losses and counts ---

void CaptureBoard::lose(std::uint32_t input, std::uint64_t last, LossCause cause, Time time, std::uint32_t data) {
  if (!loss_sink_) return;
  for (std::uint64_t sequence = last + 1 - data; sequence <= last; ++sequence)
    loss_sink_({input, sequence, cause, time});
}

void CaptureBoard::lose(const Built& built, LossCause cause, Time time) {
  if (built.garbage) return;
  for (std::uint32_t left = built.frame.vector; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    lose(i, built.last[i], cause, time);
  }
}

void CaptureBoard::lose_frame(const Built& built, Time edge) {
  if (counts_.frames_lost++ == 0) counts_.first_overrun = edge;
  lose(built, cause_of_overrun(edge), edge);
}

LossCause CaptureBoard::cause_of_overrun(Time edge) const {
  return reader_.stopped(edge) ? LossCause::reader_stopped : LossCause::frame_lost;
}

std::uint64_t CaptureBoard::strobes_done() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < inputs_.size(); ++i) sum += inputs_.sequence(inputs_[i]);
  return sum;
}

Counts CaptureBoard::counts() const {
  Counts c = counts_;
  c.strobes = strobes_done() - strobes_before_reset_;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    c.accumulating += accumulators_[i].data() - (inputs_[i].held ? 1 : 0);
  c.frames_in_fifo = frames_.size();
  return c;
}

BoardState CaptureBoard::state(const Time now) const {
  BoardState s;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    s.node_fifo[i] = static_cast<std::uint32_t>(node_fifos_[i].size());
    s.held |= (inputs_[i].held ? 1u : 0u) << i;
    if (sampler_.has(static_cast<std::uint32_t>(i))) s.vector |= 1u << i;
  }
  s.vector_fifo = static_cast<std::uint32_t>(vectors_.size());
  s.frame_fifo = static_cast<std::uint32_t>(frames_.size());
  if (builder_.busy()) {
    using Doing = BoardState::Builder::Doing;
    const EventFrame& frame = builder_.item().frame;
    s.builder = {builder_.complete_at(now) ? Doing::waiting : Doing::building, frame.vector, frame.timestamp};
  }
  if (drained_by_ != DrainedBy::bus_master) {
    s.reader = reader_.doing(now);
    s.reader_until = reader_.reading() ? reader_.read_end() : reader_.next_action();
    s.left_of_group = static_cast<std::uint32_t>(reader_.left());
    if (reader_.reading()) s.read = &frames_.front().frame;
  }
  s.origin = origin_;
  s.frames_built = counts_.frames_built;
  s.frames_lost = counts_.frames_lost;
  s.windows_lost = counts_.windows_lost;
  s.node_overruns = counts_.node_overruns;
  return s;
}

std::optional<Time> CaptureBoard::strobed(std::uint32_t input) const {
  const Input& in = inputs_[input];
  return in.runs() ? std::nullopt : std::optional(in.last);
}

Time CaptureBoard::earliest_strobed(std::uint32_t input) const {
  const Input& in = inputs_[input];
  if (!in.runs()) return in.last;
  const auto after_next = (in.burst_end - in.datum) / static_cast<std::ptrdiff_t>(inputs_.datum_bytes()) - 1;
  if (!in.held) return in.time + in.spacing * after_next;
  // With drop_oldest, the end of any window, even of one without strobes so far, may discard the oldest entry and so
  // make room.
  const bool any_window = vectors_.policy() == WhenFull::drop_oldest;
  const Time done = horizon_ - 1_ps; // a window that ends at the horizon is yet to end
  const Time room = any_window ? std::min(next_edge_, end_of(window_of(std::max(done, origin_)))) : next_edge_;
  return room < Time::never() ? room + in.spacing * after_next : room; // the reading program is held
}

Time CaptureBoard::earliest_read(std::int64_t frames) const {
  const Time frame_time = reader_.read_time(format_.words(false));
  const Time edge = wrap_frames_ ? std::min(next_edge_, next_wrap()) : next_edge_;
  // The end of a frame whose words are not all read is unknown: a reset interrupts it.
  const Time current = reader_.reads_words() ? Time::never()
                       : reader_.reading()   ? reader_.read_end() - frame_time
                                             : edge;
  const Time begin = std::min(current, inputs_.first_strobe());
  return begin < Time::never() ? begin + frame_time * frames : begin;
}

Time CaptureBoard::next_event() const {
  return std::min(wrap_frames_ ? std::min(next_edge_, next_wrap()) : next_edge_, inputs_.first_strobe());
}

// --- registers (spec sec. 3) ---

std::uint32_t CaptureBoard::read_status(Time at) {
  if (is_done(at)) return before_.registers.status;
  advance(at, 0_ps);
  return registers_with(waiting_at(at)).status;
}

std::uint32_t CaptureBoard::read_frame_count(Time at) {
  if (is_done(at)) return before_.registers.count;
  advance(at, 0_ps);
  return registers_with(waiting_at(at)).count;
}

// Reads a word of the frame that the reader has begun. Nothing else changes before the end of the frame's last word.
CaptureBoard::WordRead CaptureBoard::read_word_of_frame(Time at) {
  const WordRead read{peek(PbxRegister::frame_fifo), end_of_word(at)};
  if (!reads_words()) return read;
  if (++word_index_ == words_of_frame()) {
    reader_.words_end(read.end);
    next_edge_ = std::min(next_edge_, reader_.read_end());
    word_index_ = 0;
  }
  return read;
}

CaptureBoard::WordRead CaptureBoard::read_frame_word(Time at) {
  if (drained_by_ == DrainedBy::words) return read_word_of_frame(at);
  if (drained_by_ == DrainedBy::reader) throw std::logic_error("internal: the frame FIFO has two readers");
  advance(at, 0_ps);
  const WordRead read{peek(PbxRegister::frame_fifo), end_of_word(at)};
  if (next_to_read() == frames_.size()) return read;
  Built& built = frames_[next_to_read()];
  if (word_index_ == 0) ++claimed_;
  if (++word_index_ == format_.words(built.frame.stamped)) {
    built.leaves = edge_at_or_after(read.end);
    next_edge_ = std::min(next_edge_, built.leaves);
    word_index_ = 0;
  }
  return read;
}

// The frame whose words are read next.
std::size_t CaptureBoard::next_to_read() const {
  if (drained_by_ == DrainedBy::words) return frames_.size() - unread() - (reads_words() ? 1 : 0);
  return word_index_ > 0 ? claimed_ - 1 : claimed_;
}

void CaptureBoard::write_control(std::uint32_t value, Time at) {
  advance(at, 0_ps);
  if ((value & control_bits::reset) != 0) reset(edge_at_or_before(at));
}

// Frames that wait at `at`, beyond which the board has not advanced. A frame that leaves at this very edge no longer
// waits.
std::size_t CaptureBoard::waiting_at(Time at) const {
  std::size_t leaving = reader_.ends_at(at) ? 1 : 0;
  for (std::size_t i = 0; i < claimed_; ++i) leaving += frames_[i].leaves == at ? 1 : 0;
  return frames_.size() - leaving;
}

CaptureBoard::Registers CaptureBoard::registers_with(std::size_t waiting) const {
  return {(counts_.frames_lost > 0 ? status_bits::frame_overrun : 0) |
              (counts_.node_overruns > 0 ? status_bits::node_overrun : 0) |
              (counts_.windows_lost > 0 ? status_bits::vector_overrun : 0) |
              (waiting > 0 ? status_bits::frame_available : 0),
          static_cast<std::uint32_t>(std::min(waiting, Reader::largest_count))};
}

std::uint32_t CaptureBoard::peek(PbxRegister which) const {
  switch (which) {
  case PbxRegister::control:
    return 0;
  case PbxRegister::status:
    return registers_with(waiting_at(horizon_)).status;
  case PbxRegister::frame_count:
    return registers_with(waiting_at(horizon_)).count;
  case PbxRegister::frame_fifo:
    return next_to_read() < frames_.size() ? format_.word(frames_[next_to_read()].frame, word_index_) : 0;
  }
  return 0;
}

void CaptureBoard::reset(Time edge) {
  if (pbx_faults_ && reader_.reading()) {
    const Time begin = reader_.read_end() - reader_.read_time(words_of_frame());
    pbx_faults_->skip(std::min(reader_.words_begun(edge - begin), words_of_frame()));
  }
  word_failed_ = false;
  for (; !frames_.empty(); frames_.pop()) lose(frames_.front(), LossCause::reset, edge);
  if (builder_.busy()) lose(builder_.item(), LossCause::reset, edge);
  for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
    WordFifo& fifo = node_fifos_[i];
    for (; !fifo.empty(); fifo.pop()) lose(i, fifo.front().last, LossCause::reset, edge);
    if (inputs_[i].held) continue; // its write continues
    if (accumulators_[i].data() > 0)
      lose(i, inputs_.sequence(inputs_[i]) - 1, LossCause::reset, edge, accumulators_[i].data());
    accumulators_[i].clear();
  }
  vectors_.clear();
  builder_.clear();
  sampler_.close();
  claimed_ = 0;
  word_index_ = 0;
  origin_ = edge;
  now_ = edge;
  reader_.reset(edge);
  counts_ = {};
  strobes_before_reset_ = strobes_done();
  release_held(edge);
  next_edge_ = next_edge(edge);
  if (probe_ != nullptr) probe_->changed(edge, state(edge));
}

} // namespace hypermon
