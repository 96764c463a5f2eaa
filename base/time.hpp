// SPDX-License-Identifier: BSD-3-Clause
// Simulated time. One strong integer type for the whole program: picoseconds.
//
// Doubles (SimGrid's seconds) and sc_time appear only where the kernels meet (hw/cosim, hw/tlm);
// the conversions with their rounding are named here.
#pragma once
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

namespace hypermon {

/// Rounds to the nearest whole number, and halves away from zero, as std::llround does. std::llround is a call into the
/// C library, and each message needs dozens of conversions of times.
inline std::int64_t nearest(double x) {
  if (!(std::abs(x) < 0x1p52)) return std::llround(x); // such a number has no fraction
  const auto whole = static_cast<std::int64_t>(x);
  const double rest = x - static_cast<double>(whole); // exact
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

class Time {
public:
  constexpr Time() = default;
  static constexpr Time from_ps(std::int64_t ps) { return Time{ps}; }
  static constexpr Time from_ns(std::int64_t ns) { return Time{ns * 1000}; }
  /// Nearest picosecond; used once, when a parameter given in (fractional) nanoseconds is loaded.
  static Time from_ns_rounded(double ns) { return Time{nearest(ns * 1e3)}; }
  /// Nearest picosecond of SimGrid's clock in seconds.
  static Time from_seconds_rounded(double s) { return Time{nearest(s * 1e12)}; }
  static constexpr Time never() { return Time{std::numeric_limits<std::int64_t>::max()}; }

  constexpr std::int64_t ps() const { return ps_; }
  constexpr double seconds() const { return static_cast<double>(ps_) * 1e-12; }
  constexpr double microseconds() const { return static_cast<double>(ps_) * 1e-6; }

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time& operator+=(Time o) {
    ps_ += o.ps_;
    return *this;
  }
  constexpr Time& operator-=(Time o) {
    ps_ -= o.ps_;
    return *this;
  }
  friend constexpr Time operator+(Time a, Time b) { return Time{a.ps_ + b.ps_}; }
  friend constexpr Time operator-(Time a, Time b) { return Time{a.ps_ - b.ps_}; }
  friend constexpr Time operator*(Time a, std::int64_t n) { return Time{a.ps_ * n}; }
  friend constexpr Time operator*(std::int64_t n, Time a) { return Time{a.ps_ * n}; }
  friend constexpr std::int64_t operator/(Time a, Time b) { return a.ps_ / b.ps_; }

private:
  explicit constexpr Time(std::int64_t ps) : ps_(ps) {}
  std::int64_t ps_ = 0;
};

constexpr Time operator""_ps(unsigned long long v) { return Time::from_ps(static_cast<std::int64_t>(v)); }
constexpr Time operator""_ns(unsigned long long v) { return Time::from_ns(static_cast<std::int64_t>(v)); }
constexpr Time operator""_us(unsigned long long v) { return Time::from_ns(static_cast<std::int64_t>(v) * 1000); }
constexpr Time operator""_ms(unsigned long long v) { return Time::from_ns(static_cast<std::int64_t>(v) * 1000000); }

/// A compute node of the machine, counted from 0.
enum class NodeId : std::uint32_t {};
constexpr std::uint32_t index(NodeId n) { return static_cast<std::uint32_t>(n); }

} // namespace hypermon
