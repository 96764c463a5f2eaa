#include "hw/core/capture_board.hpp"
#include <stdexcept>

namespace hypermon {

CaptureBoard::CaptureBoard(const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader, DrainedBy drained_by)
    : window_(Time::from_ns(ecb.window_ns)), word_(Time::from_ns(pbx.word_ns)),
      node_fifo_depth_(static_cast<std::uint64_t>(ecb.node_fifo_entries)), drained_by_(drained_by),
      inputs_(static_cast<std::size_t>(ecb.inputs)), builder_(ecb), fifo_(ecb.frame_fifo_frames), reader_(pbx, reader),
      simple_(!builder_.hindered() && drained_by == DrainedBy::reader && reader_.ideal()) {
  if (simple_ && window_ <= WindowCalendar::longest_window) calendar_ = std::make_unique<WindowCalendar>(window_);
}

void CaptureBoard::write(const Burst& burst) {
  if (burst.first < horizon_) throw std::logic_error("internal: burst before the board's horizon");
  inputs_.write(burst);
}

void CaptureBoard::advance(Time horizon) {
  if (horizon < horizon_) throw std::logic_error("internal: the board's horizon goes back");
  horizon_ = horizon;
  for (; !building_.empty() && building_.front().built < horizon; building_.pop())
    push_frame(building_.front().built, building_.front().frame, &building_.front());
  if (calendar_) sample_in_bulk(horizon);
  if (simple_)
    sample<true>(horizon, horizon);
  else
    sample<false>(horizon, horizon);
  if (drained_by_ == DrainedBy::reader) reader_.run(fifo_, horizon);
  fifo_.settle(horizon);
}

// --- from strobe to frame (spec sec. 2) ---

// A strobe at a window's end belongs to the next one: the edge comes first.
inline CaptureBoard::Window CaptureBoard::window_of(Time strobe) const {
  const std::int64_t since = (strobe - origin_).ps();
  return {strobe + window_ - Time::from_ps(since % window_.ps()), 0, 0,
          static_cast<std::uint32_t>(since / window_.ps())};
}

// Where no nibble can be lost the order of the strobes does not matter: they are entered into a calendar of windows,
// input by input. So for stretches of windows that end, and whose frames are built, before the horizon; what these
// leave, and any stretch in which something might be lost, is for sample().
void CaptureBoard::sample_in_bulk(const Time horizon) {
  constexpr std::int64_t fewest = 64; // windows; fewer are not worth it
  const auto depth = static_cast<std::size_t>(fifo_.depth());
  for (;;) {
    const bool open = window_open_.vector != 0;
    const Time first = inputs_.first_strobe();
    if (first >= horizon) return;
    const Time begin = open ? window_open_.end : window_of(first).end - window_;
    const Time last_end = horizon - (builder_.accept_unhindered(0_ps) + 1_ps);
    const std::int64_t n = std::min((last_end - begin) / window_, static_cast<std::int64_t>(WindowCalendar::windows));
    if (n < fewest) return;
    if (open) sample<true>(begin, horizon);
    fifo_.settle(begin);
    const Time end = begin + window_ * n;
    if (fifo_.inside() < depth && inputs_.apart(end, window_, depth - fifo_.inside()))
      sample_windows(begin, n);
    else
      sample<true>(end, horizon);
  }
}

void CaptureBoard::sample_windows(const Time begin, const std::int64_t n) {
  inputs_.take_before(begin + window_ * n, [&](const Input& in, std::size_t strobes) {
    calendar_->add(in.bit, in.shift, in.time - begin, in.spacing, in.datum, strobes);
  });
  const Time first_built = builder_.accept_unhindered(begin + window_);
  const auto timestamp = static_cast<std::uint32_t>((begin - origin_) / window_);
  const auto most = static_cast<std::size_t>(std::min(n, fifo_.depth())); // frames: no more find room
  DeliveredFrame* first = fifo_.room(most);
  DeliveredFrame* next = first;
  Reader reader = reader_; // a local one, and a local window: frames may alias members
  const Time window = window_;
  calendar_->take(static_cast<std::size_t>(n), [&](std::size_t k, std::uint32_t vector, std::uint64_t data) {
    const auto frame = EventFrame::pack(data, vector, timestamp + static_cast<std::uint32_t>(k));
    const Time built = first_built + window * static_cast<std::int64_t>(k);
    if (reader.surely_room(built)) [[likely]] {
      next->frame = frame;
      next->read_end = reader.schedule(built);
      ++next;
    } else {
      fifo_.add_claimed(static_cast<std::size_t>(next - first));
      reader_ = reader;
      push_frame(built, frame, nullptr);
      reader = reader_;
      first = next = fifo_.room(most);
    }
  });
  fifo_.add_claimed(static_cast<std::size_t>(next - first));
  reader_ = reader;
}

// Windows are treated in order; within one, each input's strobes in order. Strobes of different inputs in one
// window do not affect each other.
// Deals with the strobes before `stop` and with the windows that end before the horizon and not after `stop`.
template <bool simple> void CaptureBoard::sample(const Time stop, const Time horizon) {
  Window window = window_open_;
  inputs_.set_horizon(stop);
  Input* in = inputs_.earliest();
  for (bool open = window.vector != 0; open || in != nullptr; open = false) {
    if (!open) {
      window = window_of(in->time);
      in = strobe<simple, true>(*in, window);
    }
    while (in != nullptr && in->time < window.end) in = strobe<simple, false>(*in, window);
    if (in == nullptr && (window.end > stop || window.end >= horizon)) {
      window_open_ = window;
      return;
    }
    if (simple || window.vector != 0) close<simple>(window, horizon);
  }
  window_open_ = {};
}

// Samples an input's strobe; returns the next. The first of a window meets no other.
template <bool simple, bool first>
[[gnu::always_inline]] inline CaptureBoard::Input* CaptureBoard::strobe(Input& in, Window& window) {
  if (!first && (window.vector & in.bit) != 0) [[unlikely]] {
    ++counts_.aliasing;
    lose(in, in.sequence(), LossCause::aliasing, in.time);
  } else if (simple || enters_node_fifo(in)) {
    window.vector |= in.bit;
    window.data |= std::uint64_t{*in.datum & 0xFu} << in.shift;
    in.sampled = in.datum;
  }
  inputs_.pop(in);
  return inputs_.earliest();
}

bool CaptureBoard::enters_node_fifo(Input& in) {
  if (in.level >= node_fifo_depth_) builder_.take_until(in.time, inputs_);
  if (in.level >= node_fifo_depth_) {
    ++counts_.node_overruns;
    lose(in, in.sequence(), LossCause::node_overrun, in.time);
    return false;
  }
  ++in.level;
  return true;
}

// Once per frame: inlined, its arguments stay in registers.
template <bool simple> [[gnu::always_inline]] inline void CaptureBoard::close(Window window, Time horizon) {
  if (!simple && builder_.full_before(window.end, inputs_)) return discard(window);
  const Time built = simple ? builder_.accept_unhindered(window.end) : builder_.accept(window.end, window.vector);
  if (built >= horizon) [[unlikely]]
    keep_building(built, window.frame());
  else if (simple && reader_.surely_room(built)) [[likely]]
    fifo_.push_claimed(window.frame(), reader_.schedule(built));
  else
    push_frame(built, window.frame(), nullptr);
}

void CaptureBoard::keep_building(Time built, EventFrame frame) {
  Building building{built, frame, {}};
  for (std::size_t i = 0; i < inputs_.size(); ++i) building.sequences[i] = inputs_[i].sampled_sequence();
  building_.push(building);
}

void CaptureBoard::discard(Window window) {
  ++counts_.windows_lost;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Input& in = inputs_[i];
    if ((window.vector & in.bit) == 0) continue;
    --in.level;
    ++counts_.discarded;
    lose(in, in.sampled_sequence(), LossCause::window_lost, window.end);
  }
}

// --- from frame to I/O node (spec sec. 3) ---

void CaptureBoard::push_frame(Time edge, EventFrame frame, const Building* building) {
  bool queued = false;
  if (drained_by_ == DrainedBy::bus_master)
    queued = fifo_.push(edge, frame);
  else if (reader_.ideal())
    queued = reader_.take(fifo_, edge, frame);
  else
    queued = reader_.take_in_group(fifo_, edge, frame);
  if (!queued) lose_frame(edge, frame, building);
}

// `building`: the frame's nibbles, or null if they are those sampled last.
void CaptureBoard::lose_frame(Time edge, EventFrame frame, const Building* building) {
  if (counts_.frames_lost++ == 0) counts_.first_overrun = edge;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!frame.has(static_cast<std::uint32_t>(i))) continue;
    lose(inputs_[i], building != nullptr ? building->sequences[i] : inputs_[i].sampled_sequence(),
         LossCause::frame_lost, edge);
  }
}

void CaptureBoard::lose(const Input& in, std::uint64_t sequence, LossCause cause, Time time) {
  if (loss_sink_) loss_sink_({in.index, sequence, cause, time});
}

std::uint64_t CaptureBoard::strobes_done() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < inputs_.size(); ++i) sum += inputs_[i].sequence();
  return sum;
}

Counts CaptureBoard::counts() const {
  Counts c = counts_;
  c.strobes = strobes_done() - strobes_before_reset_;
  c.drained = fifo_.drained();
  c.frames_in_fifo = fifo_.inside();
  c.peak_frame_fifo = fifo_.peak();
  c.end = fifo_.last_left();
  c.frames_built = c.drained + c.frames_in_fifo + c.frames_lost;
  auto nibbles_unbuilt = static_cast<std::uint64_t>(std::popcount(window_open_.vector));
  for (std::size_t i = 0; i < building_.size(); ++i)
    nibbles_unbuilt += static_cast<std::uint64_t>(std::popcount(building_[i].frame.vector()));
  c.merged = c.strobes - c.aliasing - c.node_overruns - c.discarded - nibbles_unbuilt - c.frames_built;
  return c;
}

// --- registers (spec sec. 3) ---

std::uint32_t CaptureBoard::read_status(Time at) {
  advance(at);
  return peek(PbxRegister::status);
}

std::uint32_t CaptureBoard::read_frame_count(Time at) {
  advance(at);
  return peek(PbxRegister::frame_count);
}

CaptureBoard::WordRead CaptureBoard::read_frame_word(Time at) {
  if (drained_by_ != DrainedBy::bus_master) throw std::logic_error("internal: the frame FIFO has two readers");
  advance(at);
  const Time end = at + word_;
  const std::uint32_t value = peek(PbxRegister::frame_fifo);
  if (fifo_.unclaimed() == 0) return {value, end};
  if (++word_index_ == 4) {
    fifo_.claim(edge_at_or_after(end));
    word_index_ = 0;
  }
  return {value, end};
}

void CaptureBoard::write_control(std::uint32_t value, Time at) {
  advance(at);
  if ((value & control_bits::reset) != 0) reset(edge_at_or_before(at));
}

std::uint32_t CaptureBoard::peek(PbxRegister which) const {
  switch (which) {
  case PbxRegister::control:
    return 0;
  case PbxRegister::status:
    return (counts_.frames_lost > 0 ? status_bits::frame_overrun : 0) |
           (counts_.node_overruns > 0 ? status_bits::node_overrun : 0) |
           (counts_.windows_lost > 0 ? status_bits::vector_overrun : 0) |
           (waiting(horizon_) > 0 ? status_bits::frame_available : 0);
  case PbxRegister::frame_count:
    return static_cast<std::uint32_t>(std::min(waiting(horizon_), Reader::largest_count));
  case PbxRegister::frame_fifo:
    return fifo_.unclaimed() > 0 ? fifo_.oldest_unclaimed().words[word_index_] : 0;
  }
  return 0;
}

void CaptureBoard::reset(Time edge) {
  origin_ = edge;
  window_open_ = {};
  builder_.reset();
  building_.clear();
  fifo_.reset();
  reader_.reset(edge);
  word_index_ = 0;
  counts_ = {};
  strobes_before_reset_ = strobes_done();
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].level = 0;
}

} // namespace hypermon
