// SPDX-License-Identifier: BSD-3-Clause
// Quantities: a time or a size as the user writes it, in the unit that ends the parameter's name. It converts to a Time
// or to Bytes only here; conversions between units, or to a number, must be explicit.
//
//   struct PbxParams {
//     WholeNanoseconds word_ns = 800;
//   };
//   const Time word = pbx.word_ns;
#pragma once
#include "base/time.hpp"

#include <cmath>
#include <compare>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace hypermon {

enum class Unit { ns, us, ms, s, bytes, megabytes };
constexpr std::string_view name_of(Unit unit) {
  constexpr std::string_view names[]{"ns", "us", "ms", "s", "B", "MB"};
  return names[static_cast<std::size_t>(unit)];
}
constexpr bool is_time(Unit unit) { return unit <= Unit::s; }

template <class Number, Unit unit> struct Quantity {
  using NumberType = Number;
  static constexpr Unit in = unit;
  Number number; ///< number in the unit that the user wrote

  constexpr Quantity(Number n = 0) : number(n) {}

  /// Rounds to the nearest picosecond.
  operator Time() const requires(is_time(unit)) {
    if constexpr (std::is_integral_v<Number>) {
      static_assert(unit == Unit::ns);
      return Time::from_ns(number);
    } else {
      if constexpr (unit == Unit::s) return Time::from_seconds_rounded(number);
      constexpr double ns = unit == Unit::ns ? 1 : unit == Unit::us ? 1e3 : 1e6;
      return Time::from_ns_rounded(number * ns);
    }
  }
  /// Unrounded, for SimGrid, which calculates in seconds.
  constexpr double seconds() const requires(is_time(unit)) {
    constexpr double s = unit == Unit::ns ? 1e-9 : unit == Unit::us ? 1e-6 : unit == Unit::ms ? 1e-3 : 1;
    return static_cast<double>(number) * s;
  }
  /// Rounds to the nearest byte.
  operator Quantity<std::int64_t, Unit::bytes>() const requires(unit == Unit::megabytes) {
    if constexpr (std::is_integral_v<Number>)
      return number * 1'000'000;
    else
      return std::llround(number * 1e6);
  }

  auto operator<=>(const Quantity&) const = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a.number + b.number; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a.number - b.number; }
  friend constexpr Quantity operator*(Number n, Quantity q) { return n * q.number; }
  friend constexpr Quantity operator/(Quantity q, Number n) { return q.number / n; }
  friend constexpr Number operator/(Quantity a, Quantity b) { return a.number / b.number; }
};

using WholeNanoseconds = Quantity<std::int64_t, Unit::ns>;
using Nanoseconds = Quantity<double, Unit::ns>;
using Microseconds = Quantity<double, Unit::us>;
using Milliseconds = Quantity<double, Unit::ms>;
using Seconds = Quantity<double, Unit::s>;
using Bytes = Quantity<std::int64_t, Unit::bytes>;
using WholeMegabytes = Quantity<std::int64_t, Unit::megabytes>;
using Megabytes = Quantity<double, Unit::megabytes>;

template <class T>
concept IsQuantity = std::is_same_v<T, Quantity<typename T::NumberType, T::in>>;

/// The number of a parameter with or without a unit, as a specification stores it.
template <class Value> constexpr auto& stored(Value& value) {
  if constexpr (IsQuantity<std::remove_const_t<Value>>)
    return value.number;
  else
    return value;
}

} // namespace hypermon
