// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/erb_line.hpp"
#include "hw/hypermon/core/seeded.hpp"

namespace hypermon {

namespace {

// Whole nanoseconds from 0 to `most`.
Time share(std::int64_t seed, SeededStream stream, std::uint64_t node, std::uint64_t line, WholeNanoseconds most) {
  const auto choices = static_cast<std::uint64_t>(most.number) + 1;
  return Time::from_ns(static_cast<std::int64_t>(random_at(seed, stream, node, line) % choices));
}

} // namespace

bool ErbLine::can_harm(const ErbParams& erb) {
  const bool late = Time{erb.skew_ns} + Time{erb.setup_ns} > io_write;
  const bool short_pulses = Time{erb.min_pulse_ns} + Time{erb.narrowing_ns} > io_write;
  return late || short_pulses || erb.pulse_ns > 0;
}

ErbLine::ErbLine(const ErbParams& erb, std::uint64_t node, std::size_t width_bits)
    : propagation_(erb.propagation_ns), strobe_skew_(share(erb.seed, SeededStream::line_skew, node, 0, erb.skew_ns)),
      setup_(erb.setup_ns), min_pulse_(erb.min_pulse_ns),
      pulse_(io_write - share(erb.seed, SeededStream::narrowing, node, 0, erb.narrowing_ns)), width_bits_(width_bits) {
  for (std::size_t bit = 0; bit < width_bits; ++bit)
    data_skew_.at(bit) = share(erb.seed, SeededStream::line_skew, node, bit + 1, erb.skew_ns);
}

std::uint32_t ErbLine::unsettled(Time late) const {
  std::uint32_t bits = 0;
  for (std::size_t bit = 0; bit < width_bits_; ++bit)
    if (late + data_skew_.at(bit) + setup_ > io_write + strobe_skew_) bits |= std::uint32_t{1} << bit;
  return bits;
}

} // namespace hypermon
