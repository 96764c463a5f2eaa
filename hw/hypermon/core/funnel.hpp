// SPDX-License-Identifier: BSD-3-Clause
// A plain funnel: HYPERMON's alternative, in which each datum travels alone with its source and its time (HYPERMON
// sec. 3.2.1). Wired from the capture board's parts, with its clock rules (spec sec. 1).
//
//   inputs -> stamped -> source FIFOs -> arbiter -> wide FIFO -> reader -> sink
//
// A strobe's datum enters its source's FIFO at once. If the FIFO is full before the strobe, the datum is lost, or held
// as by the board's node FIFOs. If the arbiter is idle at edge p and a word waits before p, the arbiter takes the word
// at p. At p + arbiter_cycles the word enters the wide FIFO, and the arbiter may take the next word at that same edge.
// Wide FIFO and reader are the board's frame FIFO and reader, with words in place of frames. (all chosen)
#pragma once
#include "base/losses.hpp"
#include "hw/core/arbiter.hpp"
#include "hw/core/stage.hpp"
#include "hw/core/timestamp_generator.hpp"
#include "hw/hypermon/core/funnel_params.hpp"
#include "hw/hypermon/core/reader.hpp"
#include "hw/hypermon/core/source_fifos.hpp"
#include <functional>

namespace hypermon {

struct FunnelWord {
  std::uint32_t source = 0;
  std::uint32_t datum = 0;
  std::uint64_t timestamp = 0;
  bool operator==(const FunnelWord&) const = default;
};

/// A word and the time at which it had been read.
struct DeliveredWord {
  FunnelWord word;
  Time read_end;
  bool operator==(const DeliveredWord&) const = default;
};

/// strobes = source_overruns + passed + in_sources; passed = lost + drained + in_fifo.
struct FunnelCounts {
  std::uint64_t strobes = 0;
  std::uint64_t source_overruns = 0; ///< LossCause::node_overrun
  std::uint64_t in_sources = 0;      ///< words in the sources' FIFOs and in the arbiter
  std::uint64_t passed = 0;          ///< left the arbiter
  std::uint64_t lost = 0;            ///< words lost at the wide FIFO: LossCause::frame_lost
  std::uint64_t drained = 0;
  std::uint64_t in_fifo = 0;
  std::uint64_t peak_fifo = 0;
  Time end; ///< time at which the last drained word had been read; 0 if there was none
  bool operator==(const FunnelCounts&) const = default;
};

class Funnel {
public:
  /// Parameters are in their declared ranges. Throws std::invalid_argument if id_bits cannot number the sources.
  Funnel(const PortParams& port, const FunnelParams& funnel, const PbxParams& pbx, const ReaderParams& reader);

  /// Called once for each lost datum, in order for each cause and source. To be set before the first write().
  void on_loss(std::function<void(const Loss&)> sink) { loss_sink_ = std::move(sink); }

  // The following functions work as in CaptureBoard.
  void write(const Burst& burst);
  void advance(Time horizon);
  void finish() { advance(Time::never()); }
  std::span<const DeliveredWord> delivered() const { return delivered_; }
  void clear_delivered() { delivered_.clear(); }
  FunnelCounts counts() const;

  /// Width of a word: datum, source and timestamp.
  std::size_t word_bits() const { return word_bits_; }
  /// Time for which a word occupies the bus.
  Time word_time() const { return word_time_; }

private:
  using Input = StrobeInputs::Input;
  struct Word {
    FunnelWord word;
    std::uint64_t sequence;
  };

  void strobe(Input& in);
  void enter(const Input& in, Time time);
  void at_edge(Time edge);
  Time next_edge(Time now) const;
  std::uint32_t waiting() const;
  void take(std::uint32_t waiting, Time edge);
  void read_at(Time edge);
  void push(const Word& word, Time edge, std::size_t level);
  void lose(std::uint32_t source, std::uint64_t sequence, LossCause cause, Time time);

  std::uint32_t datum_mask_;
  TimestampGenerator timestamps_;
  StrobeInputs inputs_;
  SourceFifos<Word> sources_;
  Arbiter arbiter_;
  Time arbiter_time_;
  Stage<Word> arbitrated_;
  Fifo<Word> fifo_;
  Reader reader_;
  std::size_t word_bits_;
  Time word_time_;
  Time horizon_;
  Time now_; // last edge that was simulated
  Time next_edge_ = Time::never();
  std::vector<DeliveredWord> delivered_;
  FunnelCounts counts_; // counts that are updated as things happen; counts() derives the rest
  std::function<void(const Loss&)> loss_sink_;
};

} // namespace hypermon
