// SPDX-License-Identifier: BSD-3-Clause
#include "base/results.hpp"

#include <stdexcept>

namespace hypermon {
namespace {

[[noreturn]] void wrong(const ResultInfo& key, const std::string& what) {
  throw std::logic_error("internal error: result key " + std::string(key.path) + ": " + what);
}

/// The place of the key below an object with path `below` (which ends with a dot). Its value is null so far.
Json& place(Json& object, std::string_view below, const ResultInfo& key) {
  if (!key.path.starts_with(below)) wrong(key, "is no key of " + std::string(below));
  std::string_view rest = key.path.substr(below.size());
  Json* at = &object;
  for (auto dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    at = &(*at)[rest.substr(0, dot)];
    rest.remove_prefix(dot + 1);
  }
  if (rest.ends_with("[]")) rest.remove_suffix(2);
  if (at->contains(rest)) wrong(key, "is written twice");
  return (*at)[rest];
}

template <class Values> Json record_of(const ResultList& list, const Values& values) {
  const std::string below = std::string(list.path) + ".";
  Json record = Json::object();
  for (const ResultValue& one : values) place(record, below, one.key) = one.value;
  return record;
}

} // namespace

namespace result_detail {

double time_in(std::string_view unit, Time time) {
  if (unit == "s") return time.seconds();
  if (unit == "us") return time.microseconds();
  if (unit == "ms") return time.seconds() * 1e3;
  throw std::logic_error("internal error: a time is written in the unit \"" + std::string(unit) + "\"");
}

std::int64_t picoseconds_in(std::string_view unit, Time time) {
  if (unit == "ps") return time.ps();
  throw std::logic_error("internal error: an integer time is written in the unit \"" + std::string(unit) + "\"");
}

} // namespace result_detail

void ResultRecords::add(std::initializer_list<ResultValue> values) { records_.push_back(record_of(list_, values)); }
void ResultRecords::add(const ResultValues& values) { records_.push_back(record_of(list_, values)); }

void ResultRecords::add_null() {
  if (!list_.type.element_may_be_null) wrong(list_, "its records are never null");
  records_.push_back(nullptr);
}

void Results::set(ResultValue value) { place(result_, {}, value.key) = std::move(value.value); }

void Results::set(std::initializer_list<ResultValue> values) {
  for (const ResultValue& one : values) place(result_, {}, one.key) = one.value;
}

void Results::set(const ResultValues& values) {
  for (const ResultValue& one : values) place(result_, {}, one.key) = one.value;
}

void Results::append(const ResultKey<std::vector<std::string>>& key, const std::string& text) {
  result_[key.path].push_back(text);
}

} // namespace hypermon
