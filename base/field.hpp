// SPDX-License-Identifier: BSD-3-Clause
// Parameter declarations. A parameter is declared once, in its part's header: its default is the initialiser of a
// struct's member; unit, range, description and source follow in fields_of. Loading, the JSON schema,
// `hypermon params` and the reference pages derive from this.
//
//   struct PbxParams {
//     WholeNanoseconds word_ns = 800;
//   };
//
//   constexpr auto fields_of(const PbxParams*) {
//     return fields(Field{"word_ns", &PbxParams::word_ns, range(1, 1000000),
//                         "Time of one 32-bit word on the PBX bus.", "HYPERMON sec. 5.1 (measured)"});
//   }
//   static_assert(all_members_described<PbxParams>());
#pragma once
#include "base/allowed.hpp"
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hypermon {

/// Default of a parameter that applies while another parameter `by` has the value `when` for at least one component.
/// Without `when`: while `by` is neither 0 nor empty.
struct Implied {
  std::string_view by;
  std::string_view value;
  std::string_view when{};
};

/// The description of a parameter, without its type.
struct FieldInfo {
  std::string_view name;
  Allowed allowed;
  std::string_view unit;
  std::string_view description;
  std::string_view source;
  bool may_differ = true; ///< whether instances of a Several may differ in it (base/several.hpp)
  /// Code that hypermon builds, loads or starts for a value; empty: none. Platform files and presets may not set such a
  /// parameter.
  std::string_view runs{};
  /// Values instead of the default, the first that applies. Python applies them, which knows the given parameters.
  std::span<const Implied> implied{};
};

/// Some values of a choice: some<When::now, When::later>.
template <class Value> struct Some { std::span<const std::string_view> words; };
template <auto first, decltype(first)... more> inline constexpr Some<decltype(first)> some{words_for<first, more...>};

/// One parameter: a member of type std::int64_t, double, bool or std::string; or a Quantity (base/quantity.hpp), which
/// has its unit in its type; or an enum (base/choice.hpp), whose allowed values are all its words or some of them.
template <class Struct, class Value> struct Field : FieldInfo {
  Value Struct::*member;
  constexpr Field(std::string_view n, Value Struct::*m, Allowed a, std::string_view u, std::string_view d,
                  std::string_view s)
      : FieldInfo{n, a, u, d, s}, member(m) {
    static_assert(std::is_same_v<Value, std::int64_t> || std::is_same_v<Value, double> || std::is_same_v<Value, bool> ||
                  std::is_same_v<Value, std::string>);
  }
  constexpr Field(std::string_view n, Value Struct::*m, Allowed a, std::string_view d,
                  std::string_view s) requires IsQuantity<Value> : FieldInfo{n, a, name_of(Value::in), d, s},
                                                                   member(m) {}
  constexpr Field(std::string_view n, Value Struct::*m, std::string_view d, std::string_view s) requires Choice<Value>
      : FieldInfo{n, one_of(all_words<Value>), "", d, s}, member(m) {}
  constexpr Field(std::string_view n, Value Struct::*m, Some<Value> some, std::string_view d,
                  std::string_view s) requires Choice<Value> : FieldInfo{n, one_of(some.words), "", d, s},
                                                               member(m) {}
  constexpr Field same_of_all() const {
    Field f = *this;
    f.may_differ = false;
    return f;
  }
  constexpr Field implied_by(std::span<const Implied> values) const requires Choice<Value> {
    Field f = *this;
    f.implied = values;
    return f;
  }
  /// Text for `hypermon params code`.
  constexpr Field that_runs(std::string_view code) const {
    Field f = *this;
    f.runs = code;
    return f;
  }
};

namespace detail {
template <std::size_t, class F> struct Nth { F field; };
/// Replaces std::tuple, which takes compilers three times as long.
template <class Numbers, class... F> struct FieldList;
template <std::size_t... I, class... F> struct FieldList<std::index_sequence<I...>, F...> : Nth<I, F>... {
  constexpr auto with_all(const auto& call) const { return call(static_cast<const Nth<I, F>&>(*this).field...); }
  static constexpr std::size_t count = sizeof...(F);
};
template <class... F> constexpr auto with_all(const std::tuple<F...>& all, const auto& call) {
  return std::apply(call, all);
}
constexpr auto with_all(const auto& all, const auto& call) { return all.with_all(call); }
template <class All> constexpr std::size_t count_of() {
  if constexpr (requires { All::count; })
    return All::count;
  else
    return std::tuple_size_v<All>;
}
inline std::string path_of(const std::string& prefix, std::string_view name) {
  std::string path = prefix;
  if (!path.empty()) path += '.';
  path += name;
  return path;
}
} // namespace detail

/// Return type of fields_of(). A std::tuple of fields also works.
template <class... F> constexpr detail::FieldList<std::index_sequence_for<F...>, F...> fields(F... field) {
  return {{field}...};
}

/// Calls f(path, field, value) for every parameter of `object`, in the order of declaration; a quantity is passed as
/// its number. If f takes a FieldInfo it is compiled once for each type of value instead of once for each parameter.
template <class Object, class F> void for_each_field(Object& object, const std::string& prefix, F&& f) {
  const auto one = [&](const auto& field) {
    f(detail::path_of(prefix, field.name), field, stored(object.*(field.member)));
  };
  static const auto all = fields_of(static_cast<const Object*>(nullptr));
  detail::with_all(all, [&](const auto&... field) { (one(field), ...); });
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

/// True if every member of the aggregate T has an entry in fields_of(const T*).
template <class T> constexpr bool all_members_described() {
  return detail::member_count<T>() == detail::count_of<decltype(fields_of(static_cast<const T*>(nullptr)))>();
}

} // namespace hypermon
