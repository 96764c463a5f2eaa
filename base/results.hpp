// SPDX-License-Identifier: BSD-3-Clause
// The result of a run while it is written, only through its keys (result_keys.hpp, docs/design/results.md).
#pragma once
#include "base/result_keys.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace hypermon {

/// Values that belong together, in the order in which they are written.
using ResultValues = std::vector<ResultValue>;

/// The records of a list, written as a whole.
class ResultRecords {
public:
  explicit ResultRecords(const ResultList& list) : list_(list) {}
  /// Throws std::logic_error if a key does not belong to this list's records or already has a value.
  void add(std::initializer_list<ResultValue> values);
  void add(const ResultValues& values);
  /// Adds null instead of a record; only for lists whose elements may be null.
  void add_null();
  operator ResultValue() && { return {list_, std::move(records_)}; }

private:
  ResultList list_;
  Json records_ = Json::array();
};

class Results {
public:
  explicit Results(Json& result) : result_(result) {}

  /// Throws std::logic_error if the key already has a value.
  void set(ResultValue value);
  void set(std::initializer_list<ResultValue> values);
  void set(const ResultValues& values);
  template <class T, class V> void set(const ResultKey<T>& key, const V& value) { set(key(value)); }
  /// Appends an element to a list of texts, which is created by the first one.
  void append(const ResultKey<std::vector<std::string>>& key, const std::string& text);

private:
  Json& result_;
};

} // namespace hypermon
