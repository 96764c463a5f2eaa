// SPDX-License-Identifier: BSD-3-Clause
// JSON values, from which results are built. nlohmann's library reads and writes the text, but only in json_value.cpp:
// its templates would take a quarter of the compile time of each file that builds results (docs/design/speed.md).
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

/// The text is not JSON, or a value does not have the requested kind.
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
  template <class T> Json(T*) = delete; // a pointer would become true
  template <class T> Json(const std::vector<T>& values) : Json(array()) {
    for (const auto& value : values) push_back(value);
  }
  template <class T, std::size_t n> Json(const std::array<T, n>& values) : Json(array()) {
    for (const auto& value : values) push_back(value);
  }
  /// Makes an object if each value is a list of two whose first is text, as in {{"key", value}, ...}; otherwise a list.
  Json(std::initializer_list<Json> values);
  static Json array(std::initializer_list<Json> values = {});
  static Json object();

  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(Json) noexcept;
  ~Json();

  /// Throws JsonError if the text is not JSON.
  static Json parse(std::string_view text);
  static Json parse(std::istream& text);
  /// With `indent` of 0 or more, writes each value on a line of its own with this indentation. Throws JsonError if a
  /// text is not UTF-8.
  std::string dump(int indent = -1) const;

  bool is_null() const noexcept;
  bool is_boolean() const noexcept;
  bool is_number() const noexcept;
  bool is_number_integer() const noexcept;
  bool is_string() const noexcept;
  bool is_array() const noexcept;
  bool is_object() const noexcept;

  /// Converts to a C++ value, and between kinds of numbers. Throws JsonError for another kind of value.
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

  /// Number of elements of a list or members of an object; 0 for null.
  std::size_t size() const noexcept;
  bool empty() const noexcept { return size() == 0; }

  /// Member of an object; null becomes an object. A missing member is added as null. If keys repeat, the first one
  /// counts.
  Json& operator[](std::string_view key);
  const Json& operator[](std::string_view key) const { return at(key); }
  Json& at(std::string_view key) { return const_cast<Json&>(std::as_const(*this).at(key)); }
  const Json& at(std::string_view key) const;
  /// Returns nullptr if there is no such member.
  const Json* find(std::string_view key) const noexcept;
  bool contains(std::string_view key) const noexcept { return find(key) != nullptr; }
  template <class T> T value(std::string_view key, T otherwise) const {
    const Json* found = find(key);
    return found == nullptr ? otherwise : found->get<T>();
  }
  /// The members of an object; none for null.
  const Object& items() const;
  /// Adds the members of another object, whose values take precedence.
  void update(const Json& other);

  /// Element of a list.
  Json& operator[](std::size_t i) { return const_cast<Json&>(std::as_const(*this).at(i)); }
  const Json& operator[](std::size_t i) const { return at(i); }
  const Json& at(std::size_t i) const;
  /// The elements of a list; none for null.
  List::const_iterator begin() const { return list_or_none().begin(); }
  List::const_iterator end() const { return list_or_none().end(); }
  /// Appends to a list; null becomes a list.
  void push_back(Json value);

  /// Numbers are compared by value, whatever their types.
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
