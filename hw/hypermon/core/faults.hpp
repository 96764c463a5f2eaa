// SPDX-License-Identifier: BSD-3-Clause
// Injected faults (spec sec. 5; HYPERMON sec. 5). A fault depends only on the seed and on its target (node, number of
// the datum, number of the word), not on how the simulation divides its work.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/core/erb_line.hpp"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hypermon {

struct FaultParams {
  std::int64_t seed = 1;
  WholeNanoseconds skew_ns = 0;
  std::int64_t skew_first_node = 0;
  std::int64_t skew_nodes = 1;
  Milliseconds stuck_at_ms = 0;
  Milliseconds stuck_for_ms = 0;
  std::int64_t stuck_first_node = 0;
  std::int64_t stuck_nodes = 1;
  double drop_probability = 0;
  std::int64_t drop_first_node = 0;
  std::int64_t drop_nodes = 128;
  double bit_error_probability = 0;
  std::int64_t bit_error_first_node = 0;
  std::int64_t bit_error_nodes = 128;
  double pbx_error_probability = 0;
  Milliseconds reader_stops_at_ms = 0;
  Milliseconds reader_stops_for_ms = 0;
  std::int64_t garbage_frames = 0;
  Microseconds reset_at_us = 0;
};

/// Fault of a datum on its way through the ERB: injected (FaultParams), or made by the ERB (ErbParams). A datum is
/// lost, or goes on with a wrong value (a value that happens to be right is no fault).
enum class FaultKind : std::uint8_t {
  dropped_strobe,
  stuck_strobe,
  skew,
  bit_error,
  short_pulse,       ///< erb.min_pulse_ns
  overlapping_pulse, ///< erb.pulse_ns
  unsettled_data     ///< erb.setup_ns
};
inline constexpr std::size_t fault_kinds = 7;
inline constexpr std::array<std::string_view, fault_kinds> fault_names{
    "dropped_strobe", "stuck_strobe", "skew", "bit_error", "short_pulse", "overlapping_pulse", "unsettled_data"};
constexpr bool is_loss(FaultKind k) {
  return k != FaultKind::skew && k != FaultKind::bit_error && k != FaultKind::unsettled_data;
}
/// Number of faults of each kind.
using FaultCounts = std::array<std::uint64_t, fault_kinds>;

struct Fault {
  std::uint32_t input;
  std::uint64_t sequence; ///< 0, 1, 2, ...: the n-th datum that the node wrote
  FaultKind kind;
  Time time; ///< time of the strobe at the ERB's input
  bool operator==(const Fault&) const = default;
};

/// Faults of a board's strobe and data lines. Bursts of an input must be passed in the order of their times. Times are
/// those at the ports.
class StrobeFaults {
public:
  /// Data of `width_bits` in ceil(width_bits / 8) bytes each. Input i is node first_node + i.
  StrobeFaults(const FaultParams& params, std::uint32_t first_node, std::size_t inputs, std::int64_t width_bits = 4,
               const ErbParams& erb = {});
  /// Whether any fault of strobe or data lines can happen.
  static bool any(const FaultParams& params, const ErbParams& erb = {});

  std::size_t datum_bytes() const { return datum_bytes_; }
  /// Returns what remains of the burst: none, one or several bursts. Valid until the next call.
  std::span<const Burst> pass(const Burst& burst);
  /// `sink` is called for each datum that is lost or falsified, within pass(), in the order of the data.
  void on_fault(std::function<void(const Fault&)> sink) { sink_ = std::move(sink); }

  /// Number of the datum, as the node counts, that is the n-th (0, 1, ...) to pass. It maps the board's sequence
  /// numbers to the node's.
  std::uint64_t written(std::uint32_t input, std::uint64_t passed) const;

private:
  struct Gap {
    std::uint64_t passed; // number of data that were passed on before it
    std::uint64_t lost;   // data that were lost up to its end
  };
  struct Line {
    std::uint64_t lost() const { return gaps.empty() ? 0 : gaps.back().lost; }
    std::uint64_t sequence = 0; // number of the next datum
    std::uint32_t on_data_lines = 0;
    std::uint64_t node = 0;
    std::uint32_t unsettled = 0; // bits that the ERB samples too early
    std::uint32_t late = 0;      // late bits, including those that the injected skew adds
    Time pulse_end;              // end of the last regenerated strobe
    bool swallows_pulses = false, sticks = false, drops = false, flips = false;
    std::vector<Gap> gaps; // gaps between the data that went on; a stuck line makes one gap, however long
  };
  struct Piece {
    std::size_t begin, end; // range of the burst's data
  };
  bool strobed(Line& line, const Burst& burst, Time time);
  std::uint32_t sampled(const Line& line, const Burst& burst, std::uint32_t datum, Time time);
  void report(const Line& line, const Burst& burst, FaultKind kind, Time time);

  FaultParams params_;
  std::size_t width_bits_;
  std::size_t datum_bytes_;
  Time stuck_from_;
  Time stuck_until_;
  Time pulse_; // length of a regenerated strobe
  std::vector<Line> lines_;
  std::vector<std::uint8_t> data_;
  std::vector<Piece> pieces_;
  std::vector<Burst> passed_;
  std::function<void(const Fault&)> sink_;
};

/// Bus errors of the words read from the frame FIFO, in the order of reading. The same words fail whether single words
/// or whole frames are read.
class PbxFaults {
public:
  explicit PbxFaults(const FaultParams& params) : seed_(params.seed), probability_(params.pbx_error_probability) {}
  /// Whether bus errors are to be injected.
  static bool any(const FaultParams& params) { return params.pbx_error_probability > 0; }

  bool next_word_fails();
  /// True if any of the next `words` words fails. All of them are read in any case.
  bool next_frame_fails(std::size_t words);
  /// Counts `words` words that were read of a frame before a reset ended it.
  void skip(std::size_t words) { words_ += words; }

private:
  std::int64_t seed_;
  double probability_;
  std::uint64_t words_ = 0;
};

/// Fills in the words of a frame that was in the frame FIFO at power-on.
void garbage_frame(const FaultParams& params, std::uint64_t frame_number, std::span<std::uint32_t> words);

constexpr auto fields_of(const FaultParams*) {
  using P = FaultParams;
  constexpr auto source = "spec sec. 5";
  constexpr auto chosen = "chosen";
  return fields(
      Field{"seed", &P::seed, range(0, 2147483647), "", "Seed of all injected faults.", chosen},
      Field{"skew_ns", &P::skew_ns, range(0, 1125),
            "Delay of the data lines behind the strobe. Data are set up 375 ns (one I/O write) before their strobe: "
            "with a larger skew the previous datum is read. Data may follow each other at 750 ns; therefore a skew "
            "over 1125 ns is not modelled.",
            source},
      Field{"skew_first_node", &P::skew_first_node, range(0, 4095), "",
            "First node whose data lines are delayed by faults.skew_ns.", chosen},
      Field{"skew_nodes", &P::skew_nodes, range(0, 4096), "nodes",
            "Number of nodes whose data lines are delayed by faults.skew_ns, from faults.skew_first_node on.", chosen},
      Field{"stuck_at_ms", &P::stuck_at_ms, range(0, 1e9),
            "Time at which strobe lines stick. It has an effect only with faults.stuck_for_ms above 0.", source},
      Field{"stuck_for_ms", &P::stuck_for_ms, range(0, 1e9), "Time for which strobe lines stick. 0: never.", source},
      Field{"stuck_first_node", &P::stuck_first_node, range(0, 4095), "", "First node whose strobe line sticks.",
            chosen},
      Field{"stuck_nodes", &P::stuck_nodes, range(0, 4096), "nodes",
            "Number of nodes whose strobe lines stick, from faults.stuck_first_node on.", chosen},
      Field{"drop_probability", &P::drop_probability, range(0, 1), "", "Probability that a strobe is lost.", source},
      Field{"drop_first_node", &P::drop_first_node, range(0, 4095), "",
            "First node that loses strobes with faults.drop_probability.", chosen},
      Field{"drop_nodes", &P::drop_nodes, range(0, 4096), "nodes",
            "Number of nodes that lose strobes, from faults.drop_first_node on.", chosen},
      Field{"bit_error_probability", &P::bit_error_probability, range(0, 1), "",
            "Probability that a data bit is inverted.", "spec sec. 5: faults to inject"},
      Field{"bit_error_first_node", &P::bit_error_first_node, range(0, 4095), "",
            "First node whose data lines have bit errors (faults.bit_error_probability).", chosen},
      Field{"bit_error_nodes", &P::bit_error_nodes, range(0, 4096), "nodes",
            "Number of nodes with bit errors, from faults.bit_error_first_node on.", chosen},
      Field{"pbx_error_probability", &P::pbx_error_probability, range(0, 1), "",
            "Probability that reading a word from the frame FIFO ends in a bus error. The word's frame is then lost.",
            chosen},
      Field{"reader_stops_at_ms", &P::reader_stops_at_ms, range(0, 1e9),
            "Time at which the drain program stops: it begins reading no further frame. It has an effect only "
            "with faults.reader_stops_for_ms above 0.",
            chosen},
      Field{"reader_stops_for_ms", &P::reader_stops_for_ms, range(0, 1e9),
            "Time for which the drain program stops. 0: it does not stop.", chosen},
      Field{"garbage_frames", &P::garbage_frames, range(0, 1 << 24), "frames",
            "Random frames in the frame FIFO at power-on, at most as many as it holds.", chosen},
      Field{"reset_at_us", &P::reset_at_us, range(0, 1e9),
            "Time at which the I/O node's program resets the board. 0: no reset.", chosen});
}
static_assert(all_members_described<FaultParams>());

} // namespace hypermon
