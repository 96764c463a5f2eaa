// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/combined.hpp"

#include <algorithm>
#include <string_view>

namespace hypermon::supermon {
namespace {

/// For each element after the list's name.
template <class Act> void each_behind_name(const Sexpr& list, Act&& act) {
  bool is_name = true;
  for (const Sexpr element : list) {
    if (!is_name) act(element);
    is_name = false;
  }
}

std::vector<std::int64_t> integers(const Sexpr& list, std::size_t from) {
  std::vector<std::int64_t> numbers;
  std::size_t place = 0;
  for (const Sexpr element : list)
    if (place++ >= from) numbers.push_back(element.integer());
  return numbers;
}

} // namespace

void Combined::add(Value& to, std::uint64_t count, const std::vector<std::int64_t>& numbers) const {
  to.count += count;
  const std::size_t known = to.numbers.size();
  if (known < numbers.size())
    to.numbers.insert(to.numbers.end(), numbers.begin() + std::ssize(to.numbers), numbers.end());
  for (std::size_t i = 0; i < std::min(known, numbers.size()); ++i) {
    std::int64_t& number = to.numbers[i];
    switch (how_) {
    case Combining::min:
      number = std::min(number, numbers[i]);
      break;
    case Combining::max:
      number = std::max(number, numbers[i]);
      break;
    default:
      number += numbers[i];
    }
  }
}

void Combined::add_sample(const Sexpr& sample, const RowsOf& rows) {
  ++nodes_;
  if (sample.has("kernel"))
    each_behind_name(sample.named("kernel"), [&](const Sexpr& counter) {
      for (const std::int64_t value : integers(counter, 1)) add(counters_[counter[0].atom()], 1, {value});
    });
  if (sample.has("monhole"))
    each_behind_name(sample.named("monhole"), [&](const Sexpr& entry) {
      for (const Row& row : rows(entry[4])) add(rows_[row.name], 1, row.numbers);
    });
}

void Combined::add_combined(const Sexpr& combined) {
  nodes_ += combined[1].number();
  const auto add_all = [&](std::map<std::string, Value>& to, std::string_view name) {
    if (!combined.has(name)) return;
    each_behind_name(combined.named(name),
                     [&](const Sexpr& one) { add(to[one[0].atom()], one[1].number(), integers(one, 2)); });
  };
  add_all(counters_, "kernel");
  add_all(rows_, "rows");
}

void Combined::write(SexprWriter& out, const char* name, const std::map<std::string, Value>& values) {
  if (values.empty()) return;
  out.open(name);
  for (const auto& [key, value] : values) {
    out.open().atom(key).number(value.count);
    for (const std::int64_t number : value.numbers) out.integer(number);
    out.close();
  }
  out.close();
}

void Combined::write(SexprWriter& out) const {
  out.open("combined").number(nodes_);
  write(out, "kernel", counters_);
  write(out, "rows", rows_);
  out.close();
}

double Combined::shown(const Value& value, std::size_t place) const {
  const auto number = static_cast<double>(value.numbers.at(place));
  return how_ == Combining::mean ? number / static_cast<double>(value.count) : number;
}

} // namespace hypermon::supermon
