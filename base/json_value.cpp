// SPDX-License-Identifier: BSD-3-Clause
#include "base/json_value.hpp"
#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>

namespace hypermon {
namespace {

using Library = nlohmann::ordered_json;

constexpr std::array kind_names{"null",     "true or false", "a number", "a number",
                                "a number", "text",          "a list",   "an object"};

template <class V> constexpr bool is_number = std::is_arithmetic_v<V> && !std::is_same_v<V, bool>;
template <class V> constexpr bool is_integer = is_number<V>&& std::is_integral_v<V>;

} // namespace

/// Converts the library's value to Json and back.
struct LibrarysJson {
  static Json from(const Library& json) {
    Json to;
    if (json.is_object()) {
      auto& object = to.value_.emplace<Json::Object>();
      object.reserve(json.size());
      for (const auto& [key, value] : json.items()) object.push_back({key, from(value)});
    } else if (json.is_array()) {
      auto& list = to.value_.emplace<Json::List>();
      list.reserve(json.size());
      for (const Library& value : json) list.push_back(from(value));
    } else if (json.is_string()) {
      to.value_ = json.get_ref<const std::string&>();
    } else if (json.is_boolean()) {
      to.value_ = json.get<bool>();
    } else if (json.is_number_float()) {
      to.value_ = json.get<double>();
    } else if (json.is_number_unsigned()) {
      to.value_ = json.get<std::uint64_t>();
    } else if (json.is_number()) {
      to.value_ = json.get<std::int64_t>();
    }
    return to;
  }

  static Library to(const Json& json) { return std::visit(LibrarysJson(), json.value_); }

  Library operator()(const auto& value) const { return value; }
  Library operator()(const Json::List& from) const {
    Library::array_t list;
    list.reserve(from.size());
    for (const Json& value : from) list.push_back(to(value));
    return list;
  }
  Library operator()(const Json::Object& from) const {
    Library json = Library::object();
    auto& object = json.get_ref<Library::object_t&>();
    object.reserve(from.size());
    // The vector's emplace_back(): keys are known to differ, and the object's emplace() would compare each with all
    // before it.
    for (const auto& [key, value] : from) object.emplace_back(key, to(value));
    return json;
  }

  template <class Text> static Json parse(Text&& text) {
    try {
      return from(Library::parse(std::forward<Text>(text)));
    } catch (const Library::exception& e) {
      throw JsonError(e.what());
    }
  }
};

Json::Json() noexcept : value_(nullptr) {}
Json::Json(std::nullptr_t) noexcept : value_(nullptr) {}
Json::Json(bool value) noexcept : value_(value) {}
Json::Json(int value) noexcept : value_(std::int64_t{value}) {}
Json::Json(long value) noexcept : value_(std::int64_t{value}) {}
Json::Json(long long value) noexcept : value_(std::int64_t{value}) {}
Json::Json(unsigned value) noexcept : value_(std::uint64_t{value}) {}
Json::Json(unsigned long value) noexcept : value_(std::uint64_t{value}) {}
Json::Json(unsigned long long value) noexcept : value_(std::uint64_t{value}) {}
Json::Json(double value) noexcept : value_(value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}

Json::Json(std::initializer_list<Json> values) {
  const auto is_member = [](const Json& json) {
    const auto* pair = std::get_if<List>(&json.value_);
    return pair != nullptr && pair->size() == 2 && pair->front().is_string();
  };
  if (!std::all_of(values.begin(), values.end(), is_member)) {
    value_ = List(values);
    return;
  }
  auto& members = value_.emplace<Object>();
  members.reserve(values.size());
  for (const Json& pair : values)
    if (!contains(pair[0].text())) members.push_back({pair[0].text(), pair[1]});
}

Json Json::array(std::initializer_list<Json> values) {
  Json json;
  json.value_ = List(values);
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object();
  return json;
}

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json other) noexcept {
  value_ = std::move(other.value_);
  return *this;
}
Json::~Json() = default;

Json Json::parse(std::string_view text) { return LibrarysJson::parse(text); }
Json Json::parse(std::istream& text) { return LibrarysJson::parse(text); }

std::string Json::dump(int indent) const {
  try {
    return LibrarysJson::to(*this).dump(indent);
  } catch (const Library::exception& e) {
    throw JsonError(e.what());
  }
}

bool Json::is_null() const noexcept { return std::holds_alternative<std::nullptr_t>(value_); }
bool Json::is_boolean() const noexcept { return std::holds_alternative<bool>(value_); }
bool Json::is_number() const noexcept { return is_number_integer() || std::holds_alternative<double>(value_); }
bool Json::is_number_integer() const noexcept {
  return std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<std::uint64_t>(value_);
}
bool Json::is_string() const noexcept { return std::holds_alternative<std::string>(value_); }
bool Json::is_array() const noexcept { return std::holds_alternative<List>(value_); }
bool Json::is_object() const noexcept { return std::holds_alternative<Object>(value_); }

void Json::is_not(const char* wanted) const {
  throw JsonError(std::string("must be ") + wanted + ", but is " + kind_names.at(value_.index()));
}

bool Json::boolean() const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  is_not("true or false");
}
double Json::real() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  is_not("a number");
}
const std::string& Json::text() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  is_not("text");
}
const Json::List& Json::list() const {
  if (const auto* value = std::get_if<List>(&value_)) return *value;
  is_not("a list");
}
const Json::List& Json::list_or_none() const {
  static const List none;
  return is_null() ? none : list();
}
const Json::Object& Json::items() const {
  if (const auto* value = std::get_if<Object>(&value_)) return *value;
  static const Object none;
  if (is_null()) return none;
  is_not("an object");
}

std::size_t Json::size() const noexcept {
  if (const auto* members = std::get_if<Object>(&value_)) return members->size();
  const auto* values = std::get_if<List>(&value_);
  return values == nullptr ? 0 : values->size();
}

Json& Json::operator[](std::string_view key) {
  if (const Json* found = find(key)) return const_cast<Json&>(*found);
  if (is_null()) value_ = Object();
  auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) is_not("an object");
  return members->emplace_back(std::string(key), Json()).value;
}

const Json& Json::at(std::string_view key) const {
  if (const Json* found = find(key)) return *found;
  items(); // must be an object
  throw JsonError("`" + std::string(key) + "` is missing");
}

const Json* Json::find(std::string_view key) const noexcept {
  const auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(), [&](const Member& m) { return m.key == key; });
  return found == members->end() ? nullptr : &found->value;
}

void Json::update(const Json& other) {
  for (const auto& [key, value] : other.items()) (*this)[key] = value;
}

const Json& Json::at(std::size_t i) const {
  if (i >= list().size()) throw JsonError("the list has no value " + std::to_string(i));
  return list()[i];
}

void Json::push_back(Json value) {
  if (is_null()) value_ = List();
  auto* values = std::get_if<List>(&value_);
  if (values == nullptr) is_not("a list");
  values->push_back(std::move(value));
}

bool operator==(const Json& a, const Json& b) noexcept {
  return std::visit(
      []<class A, class B>(const A& x, const B& y) {
        if constexpr (is_integer<A> && is_integer<B>)
          return std::cmp_equal(x, y);
        else if constexpr (is_number<A> && is_number<B>)
          return static_cast<double>(x) == static_cast<double>(y);
        else if constexpr (std::is_same_v<A, B>)
          return x == y;
        else
          return false;
      },
      a.value_, b.value_);
}

std::ostream& operator<<(std::ostream& to, const Json& json) { return to << json.dump(); }

} // namespace hypermon
