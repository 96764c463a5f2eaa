// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/seeded.hpp"
#include <algorithm>

namespace hypermon {

namespace {

using Stream = SeededStream;

constexpr bool happens(double probability, std::uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1p-53 < probability;
}

constexpr bool within(std::uint64_t node, std::int64_t first, std::int64_t n) {
  return static_cast<std::int64_t>(node) >= first && static_cast<std::int64_t>(node) - first < n;
}

} // namespace

bool StrobeFaults::any(const FaultParams& p, const ErbParams& erb) {
  const bool late = Time{p.skew_ns} + Time{erb.skew_ns} + Time{erb.setup_ns} > io_write;
  return late || ErbLine::can_harm(erb) || p.stuck_for_ms > 0 || p.drop_probability > 0 || p.bit_error_probability > 0;
}

StrobeFaults::StrobeFaults(const FaultParams& p, std::uint32_t first_node, std::size_t inputs, std::int64_t width_bits,
                           const ErbParams& erb)
    : params_(p), width_bits_(static_cast<std::size_t>(width_bits)), datum_bytes_((width_bits_ + 7) / 8),
      stuck_from_(p.stuck_at_ms), stuck_until_(stuck_from_ + p.stuck_for_ms), pulse_(erb.pulse_ns), lines_(inputs) {
  for (std::size_t i = 0; i < inputs; ++i) {
    Line& line = lines_[i];
    line.node = first_node + i;
    const ErbLine own(erb, line.node, width_bits_);
    const bool skewed = within(line.node, p.skew_first_node, p.skew_nodes);
    line.unsettled = own.unsettled(0_ps);
    line.late = own.unsettled(skewed ? Time{p.skew_ns} : 0_ps);
    line.swallows_pulses = own.swallows_pulses();
    line.sticks = p.stuck_for_ms > 0 && within(line.node, p.stuck_first_node, p.stuck_nodes);
    line.drops = p.drop_probability > 0 && within(line.node, p.drop_first_node, p.drop_nodes);
    line.flips = p.bit_error_probability > 0 && within(line.node, p.bit_error_first_node, p.bit_error_nodes);
  }
}

std::span<const Burst> StrobeFaults::pass(const Burst& burst) {
  Line& line = lines_.at(burst.input);
  const std::size_t n = burst.data.size() / datum_bytes_;
  const std::uint32_t mask = ~std::uint32_t{0} >> (32 - width_bits_);
  data_.assign(burst.data.begin(), burst.data.end());
  pieces_.clear();
  for (std::size_t j = 0; j < n; ++j, ++line.sequence) {
    const Time time = burst.first + burst.spacing * static_cast<std::int64_t>(j);
    std::uint8_t* bytes = data_.data() + j * datum_bytes_;
    std::uint32_t datum = 0;
    for (std::size_t b = 0; b < datum_bytes_; ++b) datum |= std::uint32_t{bytes[b]} << (8 * b);
    datum &= mask;
    if (strobed(line, burst, time)) {
      const std::uint32_t value = sampled(line, burst, datum, time);
      for (std::size_t b = 0; b < datum_bytes_; ++b) bytes[b] = static_cast<std::uint8_t>(value >> (8 * b));
      if (!pieces_.empty() && pieces_.back().end == j)
        ++pieces_.back().end;
      else
        pieces_.push_back({j, j + 1});
    } else {
      const std::uint64_t passed = line.sequence - line.lost();
      if (line.gaps.empty() || line.gaps.back().passed != passed) line.gaps.push_back({passed, line.lost()});
      ++line.gaps.back().lost;
    }
    line.on_data_lines = datum;
  }
  passed_.clear();
  for (const auto [begin, end] : pieces_) {
    Burst& piece = passed_.emplace_back(burst);
    piece.first = burst.first + burst.spacing * static_cast<std::int64_t>(begin);
    piece.flag_first &= begin == 0;
    piece.data = std::span(data_).subspan(begin * datum_bytes_, (end - begin) * datum_bytes_);
  }
  return passed_;
}

bool StrobeFaults::strobed(Line& line, const Burst& burst, Time time) {
  if (line.sticks && time >= stuck_from_ && time < stuck_until_) {
    report(line, burst, FaultKind::stuck_strobe, time);
    return false;
  }
  if (line.drops &&
      happens(params_.drop_probability, random_at(params_.seed, Stream::drop, line.node, line.sequence))) {
    report(line, burst, FaultKind::dropped_strobe, time);
    return false;
  }
  if (line.swallows_pulses) {
    report(line, burst, FaultKind::short_pulse, time);
    return false;
  }
  if (time < line.pulse_end) {
    report(line, burst, FaultKind::overlapping_pulse, time);
    return false;
  }
  line.pulse_end = time + pulse_;
  return true;
}

// Value that the board reads at the strobe of `datum`. If several faults apply, the first one is reported: the injected
// skew if it delays further bits that are wrong; otherwise data that the ERB samples too early; otherwise bit errors.
std::uint32_t StrobeFaults::sampled(const Line& line, const Burst& burst, std::uint32_t datum, Time time) {
  const std::uint32_t read = (datum & ~line.late) | (line.on_data_lines & line.late);
  std::uint32_t value = read;
  for (std::size_t bit = 0; line.flips && bit < width_bits_; ++bit)
    if (happens(params_.bit_error_probability,
                random_at(params_.seed, Stream::bit_error, line.node, line.sequence * 32 + bit)))
      value ^= std::uint32_t{1} << bit;
  if (value != datum) {
    const std::uint32_t wrong = read ^ datum;
    report(line, burst,
           (wrong & ~line.unsettled) != 0 ? FaultKind::skew
           : wrong != 0                   ? FaultKind::unsettled_data
                                          : FaultKind::bit_error,
           time);
  }
  return value;
}

void StrobeFaults::report(const Line& line, const Burst& burst, FaultKind kind, Time time) {
  if (sink_) sink_({burst.input, line.sequence, kind, time});
}

std::uint64_t StrobeFaults::written(std::uint32_t input, std::uint64_t passed) const {
  const auto& gaps = lines_.at(input).gaps;
  const auto after = std::upper_bound(gaps.begin(), gaps.end(), passed,
                                      [](std::uint64_t n, const Gap& gap) { return n < gap.passed; });
  return passed + (after == gaps.begin() ? 0 : std::prev(after)->lost);
}

bool PbxFaults::next_word_fails() { return happens(probability_, random_at(seed_, Stream::pbx_error, 0, words_++)); }

bool PbxFaults::next_frame_fails(std::size_t words) {
  bool fails = false;
  while (words-- > 0) fails |= next_word_fails();
  return fails;
}

void garbage_frame(const FaultParams& params, std::uint64_t frame_number, std::span<std::uint32_t> words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<std::uint32_t>(random_at(params.seed, Stream::garbage, i, frame_number));
}

} // namespace hypermon
