// SPDX-License-Identifier: BSD-3-Clause
// Keys of results (docs/design/results.md). A key is one object: it has the path, type, unit, nullability and
// description, and results.hpp accepts only values made by it. A part declares its keys as members of one struct.
#pragma once
#include "base/json_value.hpp"
#include "base/time.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hypermon {

/// Type of a value as Python names it. A key of the old kind may leave the name empty: then the unit decides.
struct ResultType {
  std::string_view name{};
  bool may_be_null = false;
  bool element_may_be_null = false; ///< null may replace the element of the list that contains the key
};

/// A declared key without its C++ type, as the schema lists it.
struct ResultInfo {
  enum class Sort : std::uint8_t { value, group, list, remark };
  std::string_view path; ///< "ranks[].events"
  std::string_view unit;
  std::string_view description;
  ResultType type{};
  Sort sort = Sort::value;
};

/// A value with its key, the only type that a result accepts.
struct ResultValue {
  ResultInfo key;
  Json value;
};

template <class T> struct ResultTypeName; // Python's name of a type that keys may have
template <> struct ResultTypeName<int> { static constexpr std::string_view name = "int"; };
template <> struct ResultTypeName<double> { static constexpr std::string_view name = "float"; };
template <> struct ResultTypeName<bool> { static constexpr std::string_view name = "bool"; };
template <> struct ResultTypeName<std::string> { static constexpr std::string_view name = "str"; };
template <> struct ResultTypeName<Json> { static constexpr std::string_view name = "dict[str, Any]"; };

namespace result_detail {

template <class T> struct Optional : std::false_type {};
template <class T> struct Optional<std::optional<T>> : std::true_type {};
template <class T> struct List : std::false_type {};
template <class T> struct List<std::vector<T>> : std::true_type {};

template <class T> constexpr ResultType type(std::string_view path) {
  if constexpr (Optional<T>::value) {
    ResultType inner = type<typename T::value_type>(path);
    inner.may_be_null = true;
    return inner;
  } else if constexpr (List<T>::value) {
    if (path.ends_with("[]")) return type<typename T::value_type>(path); // the schema has the element's type
    if constexpr (std::same_as<T, std::vector<std::string>>) return {"list[str]"};
    throw std::logic_error("the path of a list ends with []");
  } else {
    return {ResultTypeName<T>::name};
  }
}

/// The number that represents a time in the key's unit: s, ms, us, or integer ps. Throws std::logic_error for another
/// unit.
double time_in(std::string_view unit, Time time);
std::int64_t picoseconds_in(std::string_view unit, Time time);

template <class T, class V> Json json(const ResultInfo& key, const V& value) {
  if constexpr (Optional<T>::value) {
    using Inner = typename T::value_type;
    if constexpr (std::same_as<V, std::nullopt_t> || std::same_as<V, std::nullptr_t>)
      return Json();
    else if constexpr (Optional<V>::value)
      return value ? json<Inner>(key, *value) : Json();
    else
      return json<Inner>(key, value);
  } else if constexpr (List<T>::value) {
    Json list = Json::array();
    for (const auto& element : value) list.push_back(json<typename T::value_type>(key, element));
    return list;
  } else if constexpr (std::same_as<T, int>) {
    if constexpr (std::same_as<V, Time>) {
      return picoseconds_in(key.unit, value);
    } else {
      static_assert(std::integral<V> && !std::same_as<V, bool>, "the key is an integer");
      return value;
    }
  } else if constexpr (std::same_as<T, double>) {
    if constexpr (std::same_as<V, Time>) {
      return time_in(key.unit, value);
    } else {
      static_assert(std::floating_point<V>, "the key is a real number");
      return static_cast<double>(value);
    }
  } else if constexpr (std::same_as<T, std::string>) {
    return std::string_view(value);
  } else {
    static_assert(std::same_as<T, V>, "the value is not of the key's type");
    if constexpr (std::same_as<T, bool> || std::same_as<T, Json>)
      return value;
    else
      return to_json_value(value);
  }
}

} // namespace result_detail

/// T is int (an integer of any width), double, bool, std::string, Json (an object that is described as a whole), a
/// std::vector of these, or std::optional of these if the value may be null. Any other type needs a ResultTypeName and
/// a to_json_value() beside it. The path of a list of values ends with [].
template <class T> struct ResultKey : ResultInfo {
  using Type = T;
  constexpr ResultKey(std::string_view path, std::string_view unit, std::string_view description)
      : ResultInfo{path, unit, description, result_detail::type<T>(path)} {}

  /// Makes a value. A Time becomes a number in the key's unit.
  template <class V> ResultValue operator()(const V& value) const {
    return {*this, result_detail::json<T>(*this, value)};
  }
};

/// Keys with a common path that can be null or empty together, such as "latency_us".
struct ResultGroup : ResultInfo {
  constexpr explicit ResultGroup(std::string_view path) : ResultInfo{path, {}, {}, {}, Sort::group} {}
  ResultValue null() const { return {*this, nullptr}; }
  ResultValue empty() const { return {*this, Json::object()}; }
};

/// A list of records: "ranks[]". The keys of a record have paths that begin with that of the list.
struct ResultList : ResultInfo {
  enum class Elements : bool { are_records, may_be_null };
  constexpr explicit ResultList(std::string_view path, Elements elements = Elements::are_records)
      : ResultInfo{path, {}, {}, {{}, false, elements == Elements::may_be_null}, Sort::list} {}
};

/// A part's addition to the description of a key that another part declares.
struct ResultRemark : ResultInfo {
  constexpr ResultRemark(std::string_view path, std::string_view unit, std::string_view description)
      : ResultInfo{path, unit, description, {}, Sort::remark} {}
};

/// All keys of a part.
using ResultKeys = std::vector<ResultInfo>;

/// Collects the members of structs of keys, in the order of their declaration. All members must be keys, groups, lists,
/// remarks, or structs and arrays of these.
template <class... Structs> ResultKeys keys_of(const Structs&... structs) {
  ResultKeys all;
  const auto add = [&all]<class Keys>(const Keys& keys) {
    static_assert(sizeof(Keys) % sizeof(ResultInfo) == 0, "a member is no key");
    for (const ResultInfo& key : std::bit_cast<std::array<ResultInfo, sizeof(Keys) / sizeof(ResultInfo)>>(keys))
      all.push_back(key);
  };
  (add(structs), ...);
  return all;
}
static_assert(sizeof(ResultKey<double>) == sizeof(ResultInfo) && sizeof(ResultList) == sizeof(ResultInfo));

} // namespace hypermon
