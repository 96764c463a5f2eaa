// SPDX-License-Identifier: BSD-3-Clause
// The command line of a workload: `--name=value` for every field of its parameter struct, and the arguments that all
// workloads share, `--output=FILE` and `--seed=N`.
#pragma once
#include "base/field.hpp"
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

namespace hypermon::workloads {

inline constexpr int bad_arguments = 2; // exit code

template <class Params> struct Arguments {
  Params params;
  std::string output; // the answer file; empty if there is none
  std::uint64_t seed = 1;
};

namespace detail {
inline bool parse(const std::string& text, std::int64_t& value) {
  char* end = nullptr;
  value = std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0';
}
inline bool parse(const std::string& text, double& value) {
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(value);
}

inline bool complain(const std::string& argument, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", argument.c_str(), why.c_str());
  return false;
}

inline bool assign(const std::string&, const std::string& text, const Allowed&, std::string& value) {
  value = text;
  return true;
}
inline bool assign(const std::string& argument, const std::string& text, const Allowed&, bool& value) {
  value = text == "true";
  return value || text == "false" || complain(argument, "must be true or false");
}
template <Choice E> bool assign(const std::string& argument, const std::string& text, const Allowed& a, E& value) {
  if (!is_allowed(a, text)) return complain(argument, "must be " + what_is_allowed<std::string>(a));
  ChoiceAt(value).set(text);
  return true;
}
template <class Value>
bool assign(const std::string& argument, const std::string& text, const Allowed& a, Value& value) {
  if (!parse(text, value)) return complain(argument, "not a number");
  if (static_cast<double>(value) < a.min || static_cast<double>(value) > a.max)
    return complain(argument, "must be from " + std::to_string(a.min) + " to " + std::to_string(a.max));
  return true;
}
} // namespace detail

/// Returns false, with a message that names the argument, if an argument is unknown, not a number or out of range.
template <class Params> bool parse_arguments(int argc, char** argv, Arguments<Params>& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    if (!argument.starts_with("--") || equals == std::string::npos)
      return detail::complain(argument, "expected --name=value");
    const std::string name = argument.substr(2, equals - 2);
    const std::string text = argument.substr(equals + 1);
    bool known = true;
    bool good = true;
    if (name == "output") {
      arguments.output = text;
    } else if (name == "seed") {
      std::int64_t seed = 0;
      good = detail::assign(argument, text, range(0, 9e18), seed);
      arguments.seed = static_cast<std::uint64_t>(seed);
    } else {
      known = false;
      for_each_field(arguments.params, "", [&](const std::string& path, const FieldInfo& field, auto& value) {
        if (path != name) return;
        known = true;
        good = detail::assign(argument, text, field.allowed, value);
      });
    }
    if (!known) return detail::complain(argument, "no such parameter");
    if (!good) return false;
  }
  return true;
}

} // namespace hypermon::workloads
