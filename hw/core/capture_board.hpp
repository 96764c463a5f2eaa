// The event capture board with its frame reader (spec secs. 1 to 4), event by event: work grows with bursts,
// nibbles and frames, never with clock cycles, and every result is that of the cycle-by-cycle contract.
#pragma once
#include "hw/core/counts.hpp"
#include "hw/core/frame_builder.hpp"
#include "hw/core/losses.hpp"
#include "hw/core/reader.hpp"
#include "hw/core/registers.hpp"
#include "hw/core/window_calendar.hpp"
#include <functional>
#include <memory>

namespace hypermon {

/// Who reads the frames: the built-in Reader, or a bus master through the registers.
enum class DrainedBy : std::uint8_t { reader, bus_master };

class CaptureBoard {
public:
  /// Parameters are in their declared ranges. A bus master's costs are its own: `reader` is not used then.
  CaptureBoard(const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
               DrainedBy drained_by = DrainedBy::reader);

  /// Copies the burst. Its first strobe is neither before the last horizon nor before the input's last strobe.
  void write(const Burst& burst);
  /// Every strobe and every edge before `horizon` is done. Horizons do not decrease.
  void advance(Time horizon);
  /// Until nothing is left inside (but what a bus master has not read). The board takes no more bursts.
  void finish() { advance(Time::never()); }

  /// Frames read since the last clear, in order, all with read_end before the horizon. Valid until the next call
  /// that is not const.
  std::span<const DeliveredFrame> delivered() const { return fifo_.delivered(); }
  void clear_delivered() { fifo_.clear_delivered(); }

  /// `sink` is called once for each nibble that is lost; per cause and input in order.
  void on_loss(std::function<void(const Loss&)> sink) { loss_sink_ = std::move(sink); }
  /// As of the last horizon.
  Counts counts() const;
  Time horizon() const { return horizon_; }
  std::size_t inputs() const { return inputs_.size(); }

  // Registers, as a bus master sees them: the state at the time of the access, an edge at that very time still to
  // come; but a frame whose last word ends at it no longer waits (chosen: else a program that reads words back to
  // back would see the frame it has just read). Each access advances the board to its time.
  std::uint32_t read_status(Time at);
  std::uint32_t read_frame_count(Time at);
  struct WordRead {
    std::uint32_t value;
    Time end; ///< of the word on the bus
  };
  /// The next word of the oldest frame, DrainedBy::bus_master only. The frame leaves the FIFO at the first edge
  /// at or after the end of its fourth word. An empty FIFO gives 0, takes a word's time, and changes nothing.
  WordRead read_frame_word(Time at);
  /// Bit 0 resets the board: what would enter or leave at an edge at this time is gone as well, and windows and
  /// timestamps start again from the edge at or before it (chosen). What is inside is forgotten, not counted lost;
  /// sequence numbers and the data that are not yet strobed go on.
  void write_control(std::uint32_t value, Time at);
  /// What a read at the last horizon would give, without side effects; control reads as 0.
  std::uint32_t peek(PbxRegister which) const;

private:
  struct Window { // the one being sampled
    Time end;     // 0: none is open
    std::uint64_t data = 0;
    std::uint32_t vector = 0;
    std::uint32_t timestamp = 0;
    EventFrame frame() const { return EventFrame::pack(data, vector, timestamp); }
  };
  struct Building { // a frame that is complete at or after the horizon
    Time built;
    EventFrame frame;
    std::array<std::uint64_t, 16> sequences;
  };
  using Input = StrobeInputs::Input;

  // `simple`: no node FIFO and no strobe-vector FIFO can fill, and the ideal reader drains.
  void sample_in_bulk(Time horizon);
  void sample_windows(Time begin, std::int64_t n);
  template <bool simple> void sample(Time stop, Time horizon);
  template <bool simple, bool first> Input* strobe(Input& in, Window& window);
  template <bool simple> void close(Window window, Time horizon);
  Window window_of(Time strobe) const;
  bool enters_node_fifo(Input& in);
  void discard(Window window);
  void keep_building(Time built, EventFrame frame);
  void push_frame(Time edge, EventFrame frame, const Building* building);
  void lose_frame(Time edge, EventFrame frame, const Building* building);
  void lose(const Input& in, std::uint64_t sequence, LossCause cause, Time time);
  void reset(Time edge);
  std::uint64_t strobes_done() const;
  std::size_t waiting(Time edge) const { return fifo_.inside() - fifo_.leaving_at(edge); }

  Time window_;
  Time word_;
  std::uint64_t node_fifo_depth_;
  DrainedBy drained_by_;
  Time origin_; // of windows and timestamps: the last reset
  Time horizon_;
  StrobeInputs inputs_;
  std::unique_ptr<WindowCalendar> calendar_; // of sample_in_bulk(); only a `simple` board has one
  Window window_open_;
  FrameBuilder builder_;
  Ring<Building> building_;
  FrameFifo fifo_;
  Reader reader_;
  bool simple_;
  std::uint32_t word_index_ = 0; // next word that a bus master reads
  Counts counts_;                // those that are counted as they happen; counts() derives the rest
  std::uint64_t strobes_before_reset_ = 0;
  std::function<void(const Loss&)> loss_sink_;
};

} // namespace hypermon
