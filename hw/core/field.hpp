// Parameter declarations: a parameter is declared once, in the struct of the part that it belongs to, with
// its unit, default (the member's initialiser), range, description and source. Loading, the JSON schema,
// `hypermon params` and the reference pages derive from this.
//
//   struct PbxParams {
//     std::int64_t word_ns = 800;
//     static constexpr auto fields() {
//       return std::tuple{Field{"word_ns", &PbxParams::word_ns, range(1, 1000000), "ns",
//                               "Time of one 32-bit word on the PBX bus.", "HYPERMON sec. 5.1 (measured)"}};
//     }
//   };
//   static_assert(all_members_described<PbxParams>());
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hypermon {

/// What a value may be. Numbers: min <= v <= max and, if set, a multiple of `multiple_of` or a power of two.
/// Text: one of the choices, if there are any; or a file, as platforms/spec/file_parameter.hpp says; or an event
/// catalogue (sw/instrumentation/catalogue_json.hpp).
struct Allowed {
  double min = 0;
  double max = 0;
  std::int64_t multiple_of = 1;
  bool power_of_two = false;
  std::array<std::string_view, 24> choices{};
  std::size_t n_choices = 0;
  bool is_file = false;
  bool is_program = false; ///< a file that users may give as its sources or as a folder of them, to be compiled
  bool is_catalogue = false;
  bool is_folder = false;      ///< beside is_file: a folder, whose digest is Python's (hypermon.folders)
  bool is_assignments = false; ///< text of NAME=value words, of which users may also give each one as PATH.NAME
};

constexpr Allowed range(double min, double max, std::int64_t multiple_of = 1) {
  return {min, max, multiple_of, false, {}, 0, false, false, false, false, false};
}
constexpr Allowed power_of_two(double min, double max) {
  return {min, max, 1, true, {}, 0, false, false, false, false, false};
}
constexpr Allowed any_value() { return {}; }
/// A std::string that names a file, "/path@sha256:<hex>"; empty: none. Users write a path, Python adds the rest.
constexpr Allowed file() {
  Allowed a;
  a.is_file = true;
  return a;
}
/// file() that is a folder: the digest is of all files in it.
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
/// file() that is a shared object built by smpicc, or made so by Python from sources or from a folder of them.
constexpr Allowed program() {
  Allowed a = file();
  a.is_program = true;
  return a;
}
/// A std::string that is an event catalogue. Users give a name or a YAML file, Python makes the text of it.
constexpr Allowed catalogue() {
  Allowed a;
  a.is_catalogue = true;
  return a;
}
constexpr Allowed one_of(std::initializer_list<std::string_view> names) {
  Allowed a;
  for (auto n : names) a.choices[a.n_choices++] = n;
  return a;
}

/// What is said of a parameter, whatever its type.
struct FieldInfo {
  std::string_view name;
  Allowed allowed;
  std::string_view unit;
  std::string_view description;
  std::string_view source;
  bool per_board = true; ///< may differ between the boards of a PerBoard part
};

/// One parameter: a member of type std::int64_t, double, bool or std::string.
template <class Struct, class Value> struct Field : FieldInfo {
  Value Struct::*member;
  constexpr Field(std::string_view n, Value Struct::*m, Allowed a, std::string_view u, std::string_view d,
                  std::string_view s)
      : FieldInfo{n, a, u, d, s}, member(m) {
    static_assert(std::is_same_v<Value, std::int64_t> || std::is_same_v<Value, double> || std::is_same_v<Value, bool> ||
                  std::is_same_v<Value, std::string>);
  }
  constexpr Field same_on_all_boards() const {
    Field f = *this;
    f.per_board = false;
    return f;
  }
};

/// The parameters of a part of which each board has one: the members are those of all boards (path ecb.window_ns),
/// `differing` holds, complete, those of the boards that differ (path ecb[2].window_ns).
template <class Params> struct PerBoard : Params {
  std::map<std::size_t, Params> differing;

  const Params& of(std::size_t board) const {
    const auto found = differing.find(board);
    return found == differing.end() ? *this : found->second;
  }
  /// The board's own parameters, to change; at first those of all boards.
  Params& own(std::size_t board) {
    return differing.try_emplace(board, static_cast<const Params&>(*this)).first->second;
  }
};

/// A part's parameters inside those of a larger whole: `Section{"ecb", &Spec::ecb, "Event capture board."}`.
template <class Struct, class Value> struct Section {
  std::string_view name;
  Value Struct::*member;
  std::string_view description;
  bool is_behind_ports = false; ///< of hardware that only sees what the nodes wrote to their ports
  constexpr Section(std::string_view n, Value Struct::*m, std::string_view d) : name(n), member(m), description(d) {}
  constexpr Section behind_ports() const {
    Section s = *this;
    s.is_behind_ports = true;
    return s;
  }
};

template <class T> inline constexpr bool is_section = false;
template <class S, class V> inline constexpr bool is_section<Section<S, V>> = true;
template <class T> inline constexpr bool is_per_board = false;
template <class P> inline constexpr bool is_per_board<PerBoard<P>> = true;

/// Calls f(path, field, value) for every parameter below `object`, in the order of declaration; after a part of all
/// boards come the boards that differ, with the parameters that may. Let f take a FieldInfo if it does not need more:
/// it is compiled once a type of value then, not once for each of every part.
template <class Object, class F> void for_each_field(Object& object, const std::string& prefix, F&& f) {
  std::apply(
      [&](const auto&... entry) {
        auto one = [&](const auto& e) {
          const std::string path = prefix.empty() ? std::string(e.name) : prefix + "." + std::string(e.name);
          auto& member = object.*(e.member);
          if constexpr (is_section<std::remove_cvref_t<decltype(e)>>)
            for_each_field(member, path, f);
          else
            f(path, e, member);
          if constexpr (is_per_board<std::remove_cvref_t<decltype(member)>>)
            for (auto& [board, own] : member.differing)
              for_each_field(own, path + "[" + std::to_string(board) + "]",
                             [&](const std::string& own_path, const auto& field, auto& value) {
                               if (field.per_board) f(own_path, field, value);
                             });
        };
        (one(entry), ...);
      },
      std::remove_const_t<Object>::fields());
}

/// Calls f(name, part) for every section of `object`.
template <class Object, class F> void for_each_section(Object& object, F&& f) {
  std::apply(
      [&](const auto&... entry) {
        auto one = [&](const auto& e) {
          if constexpr (is_section<std::remove_cvref_t<decltype(e)>>) f(e.name, object.*(e.member));
        };
        (one(entry), ...);
      },
      std::remove_const_t<Object>::fields());
}

namespace detail {
struct AnyMember {
  template <class T> operator T() const;
};
template <class T, std::size_t... I> constexpr bool brace_constructible(std::index_sequence<I...>) {
  return requires { T{((void)I, AnyMember{})...}; };
}
template <class T, std::size_t N = 0> constexpr std::size_t member_count() {
  if constexpr (!brace_constructible<T>(std::make_index_sequence<N + 1>{}))
    return N;
  else
    return member_count<T, N + 1>();
}
} // namespace detail

/// True if every member of the aggregate T has an entry in T::fields().
template <class T> constexpr bool all_members_described() {
  return detail::member_count<T>() == std::tuple_size_v<decltype(T::fields())>;
}

} // namespace hypermon
