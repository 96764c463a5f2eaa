// SPDX-License-Identifier: BSD-3-Clause
// JSON as values, which results are made of. nlohmann's JSON reads and writes the text, in json_value.cpp alone: its
// templates would be a quarter of what the compiler does for a file that makes results (docs/design/speed.md).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hypermon {

/// The text is no JSON, or a value is not what is asked of it.
class JsonError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Null, true or false, a number, text, a list, or an object whose members keep their order.
class Json {
public:
  struct Member;
  using List = std::vector<Json>;
  using Object = std::vector<Member>;

  Json() noexcept;
  Json(std::nullptr_t) noexcept;
  Json(bool value) noexcept;
  Json(int value) noexcept;
  Json(long value) noexcept;
  Json(long long value) noexcept;
  Json(unsigned value) noexcept;
  Json(unsigned long value) noexcept;
  Json(unsigned long long value) noexcept;
  Json(double value) noexcept;
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);
  template <class T> Json(T*) = delete; // would be true
  template <class T> Json(const std::vector<T>& values) : Json(array()) {
    for (const auto& value : values) push_back(value);
  }
  template <class T, std::size_t n> Json(const std::array<T, n>& values) : Json(array()) {
    for (const auto& value : values) push_back(value);
  }
  /// An object if each of them is a list of two of which the first is text, as {{"key", value}, ...}; else a list.
  Json(std::initializer_list<Json> values);
  static Json array(std::initializer_list<Json> values = {});
  static Json object();

  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(Json) noexcept;
  ~Json();

  /// Throws JsonError.
  static Json parse(std::string_view text);
  static Json parse(std::istream& text);
  /// With `indent` 0 or more, a line for each value, indented by so many blanks. Throws JsonError if text is not UTF-8.
  std::string dump(int indent = -1) const;

  bool is_null() const noexcept;
  bool is_boolean() const noexcept;
  bool is_number() const noexcept;
  bool is_number_integer() const noexcept;
  bool is_string() const noexcept;
  bool is_array() const noexcept;
  bool is_object() const noexcept;

  /// As a C++ value; numbers become each other. Throws JsonError if it is another kind of value.
  template <class T> T get() const {
    if constexpr (std::is_same_v<T, bool>) {
      return boolean();
    } else if constexpr (std::is_same_v<T, std::string>) {
      return text();
    } else if constexpr (std::is_arithmetic_v<T>) {
      T number{};
      visit_number([&](auto value) { number = static_cast<T>(value); });
      return number;
    } else {
      T values;
      for (const Json& value : list()) values.push_back(value.get<typename T::value_type>());
      return values;
    }
  }

  /// Of a list, an object's members or null.
  std::size_t size() const noexcept;
  bool empty() const noexcept { return size() == 0; }

  /// An object's, or null's, which becomes one: made null if it is not there. The first of that key.
  Json& operator[](std::string_view key);
  const Json& operator[](std::string_view key) const { return at(key); }
  Json& at(std::string_view key) { return const_cast<Json&>(std::as_const(*this).at(key)); }
  const Json& at(std::string_view key) const;
  /// None: nullptr.
  const Json* find(std::string_view key) const noexcept;
  bool contains(std::string_view key) const noexcept { return find(key) != nullptr; }
  template <class T> T value(std::string_view key, T otherwise) const {
    const Json* found = find(key);
    return found == nullptr ? otherwise : found->get<T>();
  }
  /// An object's members. Null has none.
  const Object& items() const;
  /// With the members of another, whose values are the ones that stay.
  void update(const Json& other);

  /// A list's.
  Json& operator[](std::size_t i) { return const_cast<Json&>(std::as_const(*this).at(i)); }
  const Json& operator[](std::size_t i) const { return at(i); }
  const Json& at(std::size_t i) const;
  /// Null has none.
  List::const_iterator begin() const { return list_or_none().begin(); }
  List::const_iterator end() const { return list_or_none().end(); }
  /// Null becomes a list.
  void push_back(Json value);

  /// Numbers are equal by their values.
  friend bool operator==(const Json& a, const Json& b) noexcept;
  friend std::ostream& operator<<(std::ostream& to, const Json& json); // as dump()

private:
  friend struct LibrarysJson;
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List, Object>;

  template <class Visit> void visit_number(Visit&& visit) const {
    if (const auto* integer = std::get_if<std::int64_t>(&value_)) return visit(*integer);
    if (const auto* natural = std::get_if<std::uint64_t>(&value_)) return visit(*natural);
    visit(real());
  }
  bool boolean() const;
  double real() const;
  const std::string& text() const;
  const List& list() const;
  const List& list_or_none() const;
  [[noreturn]] void is_not(const char* wanted) const;

  Value value_;
};

struct Json::Member {
  std::string key;
  Json value;
  friend bool operator==(const Member& a, const Member& b) = default;
};

} // namespace hypermon
