// SPDX-License-Identifier: BSD-3-Clause
// The allowed values of a parameter. They are declared with it; only this file checks and describes them.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hypermon {

/// Allowed values. Numbers: min <= v <= max and, if set, a multiple of `multiple_of` or a power of two. Text: one of
/// the choices, if there are any; or a file, as base/file_parameter.hpp says; or an event catalogue
/// (sw/instrumentation/catalogue_json.hpp).
struct Allowed {
  double min = 0;
  double max = 0;
  std::int64_t multiple_of = 1;
  bool power_of_two = false;
  std::span<const std::string_view> choices{}; ///< not owned
  bool is_file = false;
  bool is_program = false; ///< a file that users may also give as sources or a folder of sources, which are compiled
  bool is_catalogue = false;
  bool is_folder = false;      ///< with is_file: a folder, whose digest Python computes (hypermon._files.folders)
  bool is_assignments = false; ///< text of NAME=value words; users may also give each word as PATH.NAME
};

constexpr Allowed range(double min, double max, std::int64_t multiple_of = 1) {
  Allowed a;
  a.min = min;
  a.max = max;
  a.multiple_of = multiple_of;
  return a;
}
constexpr Allowed power_of_two(double min, double max) {
  Allowed a = range(min, max);
  a.power_of_two = true;
  return a;
}
constexpr Allowed any_value() { return {}; }
/// A std::string that names a file, "/path@sha256:<hex>"; empty: none. Users write a path, and Python adds the digest.
constexpr Allowed file() {
  Allowed a;
  a.is_file = true;
  return a;
}
/// file() for a folder: the digest covers all files in it.
constexpr Allowed folder() {
  Allowed a = file();
  a.is_folder = true;
  return a;
}
/// A std::string of words NAME=value, quoted as for a POSIX shell.
constexpr Allowed assignments() {
  Allowed a;
  a.is_assignments = true;
  return a;
}
/// file() for a shared object built by smpicc. Python also builds it from sources or from a folder of them.
constexpr Allowed program() {
  Allowed a = file();
  a.is_program = true;
  return a;
}
/// A std::string that contains an event catalogue. Users give a name or a YAML file, which Python replaces by its text.
constexpr Allowed catalogue() {
  Allowed a;
  a.is_catalogue = true;
  return a;
}
/// Words of a choice (base/choice.hpp), which must outlive the result.
constexpr Allowed one_of(std::span<const std::string_view> words) {
  Allowed a;
  a.choices = words;
  return a;
}

/// Whether a number is allowed; whether a text is one of the choices.
inline bool is_allowed(const Allowed&, bool) { return true; }
inline bool is_allowed(const Allowed& a, double v) {
  const bool any = a.min == 0 && a.max == 0;
  return std::isfinite(v) && (any || (v >= a.min && v <= a.max));
}
inline bool is_allowed(const Allowed& a, std::int64_t v) {
  return is_allowed(a, static_cast<double>(v)) && v % a.multiple_of == 0 &&
         (!a.power_of_two || std::has_single_bit(static_cast<std::uint64_t>(v)));
}
inline bool is_allowed(const Allowed& a, const std::string& v) {
  return a.choices.empty() || std::find(a.choices.begin(), a.choices.end(), v) != a.choices.end();
}

/// Describes the allowed values as they follow "must be": "int, 1 to 32, a multiple of 4".
template <class Value> std::string what_is_allowed(const Allowed& a) {
  if constexpr (std::is_same_v<Value, bool>) return "true or false";
  std::ostringstream text;
  text.precision(15);
  text << (std::is_same_v<Value, std::int64_t> ? "int" : std::is_same_v<Value, double> ? "float" : "string");
  if (a.is_file) {
    text << ", \"/path@sha256:<64 hexadecimal digits>\" of a file, or empty";
  } else if (!a.choices.empty()) {
    const char* before = ", one of ";
    for (const std::string_view choice : a.choices) text << std::exchange(before, ", ") << choice;
  } else if (a.min != 0 || a.max != 0) {
    text << (a.power_of_two ? ", a power of two from " : ", ") << a.min << " to " << a.max;
    if (a.multiple_of > 1 && !a.power_of_two) text << ", a multiple of " << a.multiple_of;
  }
  return text.str();
}

} // namespace hypermon
