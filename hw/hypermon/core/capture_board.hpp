// SPDX-License-Identifier: BSD-3-Clause
// The event capture board with its frame reader (spec secs. 1 to 4 and 6), simulated only at the edges where something
// happens. Work grows with bursts, data and frames, not with clock cycles; every result equals that of the
// cycle-by-cycle contract.
//
//   inputs -> accumulators -> node FIFOs --------------------.
//        `--> window sampler -> strobe-vector FIFO -> builder -> frame FIFO -> reader -> sink
//
// Where the frame FIFO alone can overrun, whole stretches of windows are captured at once (capture_in_bulk.cpp).
#pragma once
#include "base/deep_queue.hpp"
#include "base/fifo.hpp"
#include "base/losses.hpp"
#include "hw/core/stage.hpp"
#include "hw/core/timestamp_generator.hpp"
#include "hw/hypermon/core/accumulator.hpp"
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/drain.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/probe.hpp"
#include "hw/hypermon/core/reader_ahead.hpp"
#include "hw/hypermon/core/registers.hpp"
#include "hw/hypermon/core/source_fifos.hpp"
#include "hw/hypermon/core/stretch.hpp"
#include "hw/hypermon/core/strobe_inputs.hpp"
#include "hw/hypermon/core/window_sampler.hpp"
#include <functional>
#include <memory>
#include <optional>

namespace hypermon {

/// How frames are read. reader: by the built-in Reader. words: by the built-in Reader, which reads each word of a frame
/// with an access to the frame FIFO register. bus_master: by a bus master through the registers alone.
enum class DrainedBy : std::uint8_t { reader, words, bus_master };

class CaptureBoard {
public:
  /// Parameters are in their declared ranges. `reader` is not used with DrainedBy::bus_master: a bus master has its own
  /// costs.
  CaptureBoard(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
               DrainedBy drained_by = DrainedBy::reader);

  // Configuration, to be called before the first write().
  /// Windows and timestamps began `skew` before time 0 (ecb.reset_skew_ns).
  void reset_earlier_by(Time skew) { origin_ = 0_ps - edge_at_or_before(skew); }
  /// `sink` receives the frames as the board advances. Without a sink they wait in delivered().
  void deliver_to(FrameSink* sink) { sink_ = sink; }
  /// `drain` processes each frame that was read. null: the program does nothing that takes time or can fail.
  void drain_through(Drain* drain) { drain_ = drain; }
  /// Injects bus errors into the words that DrainedBy::reader reads. A frame with such a word is lost
  /// (LossCause::bus_error).
  void fail_reads(const PbxFaults& faults) { pbx_faults_ = faults; }
  /// Called once for each lost datum, in order for each cause and input.
  void on_loss(std::function<void(const Loss&)> sink) { loss_sink_ = std::move(sink); }
  /// Frames that the frame FIFO contains at power-on. Their data belong to no strobe.
  void power_on_with(std::span<const EventFrame> garbage);
  /// A FIFO with more than twice as many items keeps `items` at either end in memory and the others in a file.
  /// Stretches are captured in bulk only while at most `items` frames wait. No result depends on the number.
  void keep_in_memory(std::size_t items);
  Reader& reader() { return reader_; }
  const Reader& reader() const { return reader_; }
  /// Ends a stall by Drain's Outcome::hold: the program can read again from the first edge at or after `at`.
  void resume_reader(Time at);
  /// Lets the program read again from the first edge at or after `pause` behind the last simulated edge.
  void resume_reader_after(Time pause) { resume_reader(now_ + pause); }

  /// `probe` observes every change from the last horizon on; null: no probe. Nothing is captured in bulk while a probe
  /// is attached.
  void attach(BoardProbe* probe) { probe_ = probe; }
  /// Announces that attach() may follow later. The board then tracks the groups of an ideal reader, which a probe sees
  /// but no result contains, and which the closed form does not compute.
  void keep_groups() { keeps_groups_ = true; }
  /// State after every strobe and edge up to `now`. `now` must not lie before the last of them.
  BoardState state(Time now) const;

  /// Copies the burst. Its first strobe must not lie before the last horizon or before the input's last strobe.
  void write(const Burst& burst);
  /// Simulates every strobe and edge before `horizon`; with may_lag(), at least those before `horizon` minus the lag.
  /// Horizons must not decrease.
  void advance(Time horizon) { advance(horizon, lag_); }
  /// DrainedBy::words: the same without a lag, but stops after the first edge at which the reader polls or begins a
  /// frame. The horizon is then right behind that edge. Returns whether there was one. The caller reads the words of a
  /// frame that has begun before it advances the board further.
  bool advance_to_action(Time horizon);
  /// For callers that inspect only delivered frames and the final state: strobes may stay pending for `most`, so that
  /// they can be captured in bulk with a later horizon. Register accesses still see the complete state.
  void may_lag(Time most) { lag_ = most; }
  /// Allows frames to be delivered as soon as the end of their read is known. For callers that inspect nothing but
  /// delivered frames before the end. Not allowed if the board is reset or attach() is called before the end.
  void deliver_ahead() { delivers_ahead_ = true; }
  /// The program ends at `at`: nodes begin no burst later, but finish those that they have begun. Afterwards a
  /// timestamp wrap makes a frame only while a strobe is pending (ecb.wrap_frames). The board must not advance beyond
  /// `at` before all later strobes are written.
  void program_ends(Time at) { program_end_ = at; }
  /// Advances until the board is empty, apart from frames that a bus master has not read. The board accepts no more
  /// bursts. Without program_ends(), the program ends with the last strobe.
  void finish() { advance(Time::never()); }

  /// Frames read since the last clear, in order, all with read_end before the horizon (unless deliver_ahead()). Valid
  /// until the next call that is not const.
  std::span<const DeliveredFrame> delivered() const { return delivered_; }
  void clear_delivered() { delivered_.clear(); }

  /// Counts up to the last horizon.
  Counts counts() const;
  Time horizon() const { return horizon_; }
  std::size_t inputs() const { return inputs_.size(); }
  std::size_t datum_bytes() const { return inputs_.datum_bytes(); }
  const FrameFormat& format() const { return format_; }
  /// Words of the frames that the built-in reader has read since the last reset.
  std::uint64_t words_drained() const { return words_drained_; }
  /// Fields of frames of power_on_with() that were read and kept.
  std::uint64_t garbage_drained() const { return garbage_drained_; }
  /// True if, at the last horizon, the board has only incomplete words and no strobe is pending.
  bool empty() const { return quiet() && frames_.empty() && !strobe_to_come(); }
  /// Number of data in the incomplete word of an input.
  std::uint64_t accumulating(std::uint32_t input) const { return accumulators_[input].data(); }
  /// Time of the last strobe written on an input; nothing while a strobe is pending.
  std::optional<Time> strobed(std::uint32_t input) const;
  /// Lower bound of the time of the last strobe written on an input, whatever is written on others. It holds until
  /// resume_reader() or a reset, which may make room earlier; never() if that strobe needs one of them.
  Time earliest_strobed(std::uint32_t input) const;
  /// Lower bound of the time at which the reader has read `frames` more frames if nothing is written; never() if that
  /// needs a write.
  Time earliest_read(std::int64_t frames) const;
  /// Nothing happens before this time if nothing is written or read; never() if nothing is pending.
  Time next_event() const;

  // DrainedBy::words: the caller accesses the frame FIFO register on behalf of the reader.
  /// The reader has begun a frame and has not yet read all its words.
  bool reads_words() const { return reader_.reads_words(); }
  std::size_t words_of_frame() const { return format_.words(frames_.front().frame.stamped); }
  /// A word of that frame ended in a bus error. The frame is read to its end and then discarded (LossCause::bus_error).
  void word_failed() { word_failed_ = true; }

  // Registers as a bus master sees them. An access sees the state before an edge at its own time, except that a frame
  // whose last word ends at that time no longer waits (chosen: otherwise a program that reads words back to back would
  // see the frame it has just read). Each access advances the board to its time.
  std::uint32_t read_status(Time at);
  std::uint32_t read_frame_count(Time at);
  struct WordRead {
    std::uint32_t value;
    Time end; ///< end of the word's transfer on the bus
  };
  /// Reads the next word of the oldest frame; not with DrainedBy::reader. The frame leaves the FIFO at the first edge
  /// at or after the end of its last word. A read of an empty FIFO returns 0, takes a word's time and changes nothing.
  /// The same holds with DrainedBy::words if the reader has begun no frame.
  WordRead read_frame_word(Time at);
  /// Bit 0 resets the board. Entries that would enter or leave at an edge at this time are dropped too, and windows and
  /// timestamps restart from the edge at or before it (chosen). The contents are lost (LossCause::reset) and no longer
  /// counted. Sequence numbers and pending strobes are kept.
  void write_control(std::uint32_t value, Time at);
  /// Value that a read at the last horizon would return, without side effects; control reads as 0.
  std::uint32_t peek(PbxRegister which) const;

private:
  using Input = StrobeInputs::Input;
  struct Word { // entry of a node FIFO; `last` is the sequence number of its last datum
    std::uint32_t value;
    std::uint64_t last;
    bool flagged;
    template <class Coder> void code(Coder& c, Word& before) {
      c(value, before.value);
      c(last, before.last);
      c(flagged, before.flagged);
    }
  };
  struct Entry { // entry of the strobe-vector and timestamp FIFOs
    std::uint32_t vector;
    std::uint64_t window;
    template <class Coder> void code(Coder& c, Entry& before) {
      c(vector, before.vector);
      c(window, before.window);
    }
  };
  struct Built {
    EventFrame frame;
    std::array<std::uint64_t, max_inputs> last; // sequence number of each input's last datum, as in Word
    std::uint64_t window = 0;
    Time leaves = Time::never(); // known once a bus master has read its last word
    bool garbage = false;        // true if it comes from power_on_with(): its data belong to no strobe
    template <class Coder> void code(Coder& c, Built& before) {
      c(frame.vector, before.frame.vector);
      c(frame.stamped, before.frame.stamped);
      c(frame.timestamp, before.frame.timestamp);
      c(window, before.window);
      c(leaves, before.leaves);
      c(garbage, before.garbage);
      for (std::uint32_t left = frame.vector; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        c(frame.data[i], before.frame.data[i]);
        c(last[i], before.last[i]);
      }
    }
  };

  void advance(Time horizon, Time lag);
  template <bool probed> void do_all_before(Time horizon, Time lag);
  enum class Step : std::uint8_t { none, strobe, edge };
  /// Simulates the next strobe or edge if it is before `horizon`. Returns which of them it was.
  template <bool probed> Step do_next(Time horizon);
  template <bool probed> bool do_all_to_action(Time horizon);
  void strobe(Input& in);
  void strobe_and_tell(Input& in);
  void enter(const Input& in, Time time);
  void release_held(Time edge);
  std::uint64_t window_of(Time time) const { return timestamps_.number(time - origin_); }
  Time end_of(std::uint64_t window) const { return origin_ + timestamps_.end(window); }

  void at_edge(Time edge);
  Time next_edge(Time now) const;
  Time next_wrap() const;
  void take_entry(Time edge);
  void end_window(Time edge, std::size_t vectors_before);
  void discard(std::uint32_t vector, bool newest, Time edge);
  void push_frame(const Built& built, Time edge, std::size_t frames_before);
  void read_at(Time edge);
  Drain::Outcome take_oldest(Time read_end);
  void hand_over();

  bool strobe_to_come() const { return node_fifos_.held() > 0 || inputs_.first_strobe() < Time::never(); }
  bool quiet() const { return !sampler_.is_open() && vectors_.empty() && !builder_.busy() && node_fifos_.held() == 0; }
  bool capture_in_bulk(Time lag);
  enum class Captured : std::uint8_t { all, not_in_bulk, not_yet };
  Captured capture_windows(std::uint64_t first_window, std::size_t n);
  bool reads_in_closed_form() const;
  bool read_windows(std::size_t n, Time first_built);
  std::size_t follow_windows(std::size_t n, Time first_built);
  void deal_with_frames(std::size_t n);
  void sort_strobes(std::uint64_t first_window, std::size_t read);
  std::size_t not_yet_left(Time edge) const;

  void lose(std::uint32_t input, std::uint64_t last, LossCause cause, Time time, std::uint32_t data);
  void lose(std::uint32_t input, std::uint64_t last, LossCause cause, Time time) {
    lose(input, last, cause, time, data_per_word_);
  }
  void lose(const Built& built, LossCause cause, Time time);
  void lose_frame(const Built& built, Time edge);
  LossCause cause_of_overrun(Time edge) const;
  std::uint64_t strobes_done() const;

  /// Frames that the built-in reader has not begun.
  std::size_t unread() const { return frames_.size() - (reader_.reading() ? 1 : 0); }
  Time end_of_word(Time at) const { return at + word_ + (word_index_ == 0 ? burst_start_ : 0_ps); }
  std::size_t next_to_read() const;
  std::size_t waiting_at(Time at) const;
  struct Registers {
    std::uint32_t status = 0;
    std::uint32_t count = 0;
  };
  /// Registers with this number of waiting frames.
  Registers registers_with(std::size_t waiting) const;
  WordRead read_word_of_frame(Time at);
  /// DrainedBy::words: an edge at the time of an access may be simulated already; before_ has the state that the access
  /// sees.
  bool is_done(Time at) const { return at < horizon_ && at == before_.edge; }
  void reset(Time edge);

  FrameFormat format_;
  Time window_;
  Time word_;
  Time burst_start_;
  Time build_time_;
  std::uint32_t datum_mask_;
  std::uint32_t data_per_word_;
  std::uint32_t port_bits_;
  bool wrap_frames_;
  DrainedBy drained_by_;
  Time origin_; // time of the last reset, from which windows and timestamps count
  Time horizon_;
  Time program_end_ = Time::never(); // a strobe may follow silence until this time
  Time now_;                         // last edge that was simulated
  Time next_edge_ = Time::never();

  std::size_t most_in_memory_ = 1 << 15; // items at either end of a FIFO
  std::shared_ptr<SpillFile> spill_;     // shared by all FIFOs that are too long for memory
  StrobeInputs inputs_;
  std::vector<Accumulator> accumulators_;
  using WordFifo = Fifo<Word, DeepQueue<Word>>;
  SourceFifos<Word, DeepQueue<Word>> node_fifos_;
  WindowSampler sampler_;
  TimestampGenerator timestamps_; // numbers of windows since origin_
  Fifo<Entry, DeepQueue<Entry>> vectors_;
  Stage<Built> builder_;
  Fifo<Built, DeepQueue<Built>> frames_;
  std::size_t claimed_ = 0; // number of oldest frames that a bus master has begun or read
  std::uint32_t word_index_ = 0;
  bool word_failed_ = false;
  struct { // DrainedBy::words: the registers before an edge that is already simulated
    Time edge = Time::from_ps(-1);
    Registers registers;
  } before_;
  Reader reader_;
  std::optional<PbxFaults> pbx_faults_;
  Drain* drain_ = nullptr;
  FrameSink* sink_ = nullptr;
  BoardProbe* probe_ = nullptr;
  std::vector<DeliveredFrame> delivered_;
  Time lag_;
  bool keeps_groups_ = false;
  bool delivers_ahead_ = false;

  Counts counts_; // counts that are updated as things happen; counts() derives the rest
  std::uint64_t words_drained_ = 0;
  std::uint64_t garbage_drained_ = 0;
  std::uint64_t strobes_before_reset_ = 0;
  std::function<void(const Loss&)> loss_sink_;

  static constexpr std::size_t most_delivered = 1 << 12; // frames per hand_over()

  struct Dropped {
    std::size_t frame;
    Time edge;
  };
  struct Bulk {
    WindowMap map;
    Stretch::Layout layout;
    Time frame_time;
    std::vector<StrobeRun> runs{};
    std::vector<StrobeRun> read{};             // the part of `runs` in frames that were read
    std::uint64_t lost = 0;                    // windows whose frames were lost
    std::vector<std::uint32_t> inside{};       // windows whose frames are still in the FIFO
    std::vector<std::uint32_t> place{};        // by window: index of its frame in `built`
    std::vector<Built> built{};                // frames of the windows inside
    std::vector<ReaderAhead::Turn> turns{};    // turns of frames that found room; those already in frames_ come first
    std::vector<Dropped> dropped{};            // dropped windows by number, from the oldest frame in frames_ on
    std::int64_t longest = WindowMap::windows; // most windows that are tried at once
    Time again{}; // no new attempt before this time: something could be lost before the frame FIFO
    Time read_until = Time::from_ps(-1); // frames of the last stretch leave one frame time apart up to here
  };
  std::unique_ptr<Bulk> bulk_;              // only a board whose frame FIFO alone can overrun has one
  Time followed_until_ = Time::from_ps(-1); // the reader has acted at all edges up to here
};

} // namespace hypermon
