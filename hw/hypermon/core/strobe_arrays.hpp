// SPDX-License-Identifier: BSD-3-Clause
// Strobes at the board's inputs, as arrays: one each of time, input and datum.
#pragma once
#include "hw/hypermon/core/params.hpp"
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace hypermon {

/// Arrays of equal length. Strobes of equal time are taken in the order in which they are given (spec sec. 1).
struct StrobeArrays {
  std::span<const std::int64_t> time_ns; ///< ascending, 0 to latest_ns
  std::span<const std::uint8_t> node;    ///< input of the board
  std::span<const std::uint32_t> datum;  ///< data of port.width_bits bits

  /// Leaves room for times after the last strobe, even in picoseconds: 46 days (chosen).
  static constexpr std::int64_t latest_ns = 4'000'000'000'000'000;

  std::size_t size() const { return time_ns.size(); }
  StrobeArrays part(std::size_t from, std::size_t n) const {
    return {time_ns.subspan(from, n), node.subspan(from, n), datum.subspan(from, n)};
  }
};

/// A strobe that the board cannot receive. The message has the array, index, value and the allowed values.
class BadStrobe : public std::invalid_argument {
public:
  BadStrobe(std::size_t index, const std::string& what) : std::invalid_argument(what), index_(index) {}
  std::size_t index() const { return index_; }

private:
  std::size_t index_;
};

/// Limits of the strobes that a design accepts.
class StrobeLimits {
public:
  StrobeLimits(const PortParams& port, const EcbParams& ecb);
  /// Number of strobes in earlier arrays, and the time of the last one.
  struct Before {
    std::size_t count = 0;
    std::int64_t time_ns = 0;
  };
  /// Throws BadStrobe for the first invalid strobe of [from, from + n). Earlier strobes must have been checked.
  void check(const StrobeArrays& strobes, std::size_t from, std::size_t n, const Before& before) const;
  void check(const StrobeArrays& strobes, std::size_t from, std::size_t n) const { check(strobes, from, n, {}); }

private:
  std::uint8_t last_input_;
  std::uint32_t datum_mask_;
  std::int64_t width_bits_;
};

} // namespace hypermon
