// SPDX-License-Identifier: BSD-3-Clause
#include "base/counters.hpp"
#include "base/listing.hpp"
#include "base/parts.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace hypermon {

std::uint32_t size_class(std::int64_t bytes) {
  return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0))));
}

std::string size_class_name(std::uint32_t size_class) {
  if (size_class < 2) return std::to_string(size_class);
  const std::uint64_t first = std::uint64_t{1} << (size_class - 1);
  return std::to_string(first) + "-" + std::to_string(2 * first - 1);
}

std::vector<std::string> size_class_names() {
  std::vector<std::string> names;
  for (std::uint32_t c = 0; c < size_classes; ++c) names.push_back(size_class_name(c));
  return names;
}

std::optional<std::uint32_t> number_of(const std::string& name, const std::vector<std::string>& names) {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return std::nullopt;
  return static_cast<std::uint32_t>(it - names.begin());
}

std::string_view name_of(CounterKind kind) {
  constexpr std::string_view names[] = {"raw", "rate", "timer", "percentage", "distribution", "length"};
  return names[static_cast<std::size_t>(kind)];
}
std::string_view name_of(CounterOf owner) {
  constexpr std::string_view names[] = {"node", "processor", "process", "interface"};
  return names[static_cast<std::size_t>(owner)];
}
std::string_view name_of(CounterBy by) {
  constexpr std::string_view names[] = {"", "MPI function", "size class", "user", "routine", "process"};
  return names[static_cast<std::size_t>(by)];
}

Counters::Counters() {
  for (const Part& part : hypermon::parts())
    for (const auto& list : part.counters)
      for (const CounterInfo& info : list) declared_.push_back({&info});
}

void Counters::add(CounterSource& source) {
  const auto own = source.counters();
  for (std::size_t i = 0; i < own.size(); ++i)
    for (Declared& declared : declared_)
      if (declared.info == &own[i]) declared.source = &source, declared.place = i;
}

CounterId Counters::want(const std::string& name, const std::string& path) {
  const auto it =
      std::find_if(declared_.begin(), declared_.end(), [&](const Declared& d) { return d.info->name == name; });
  if (it == declared_.end()) {
    std::string all;
    for (const Declared& d : declared_) add_to_list(all, d.info->name);
    throw UserError(path + " = " + name + ": no such counter; there are " + all);
  }
  const std::string why = it->source == nullptr ? "nothing in this run keeps it" : it->source->absence(it->place);
  if (!why.empty()) throw UserError(path + " = " + name + ": this run has no such counter: " + why);
  it->wanted = true;
  it->source->keep(it->place);
  return CounterId{static_cast<std::uint32_t>(it - declared_.begin())};
}

std::vector<CounterId> Counters::want_all(const std::string& names, const std::string& path) {
  std::vector<CounterId> wanted;
  constexpr const char* between = ", \t\n";
  for (std::size_t end = 0, begin = names.find_first_not_of(between); begin != std::string::npos;
       begin = names.find_first_not_of(between, end)) {
    end = std::min(names.find_first_of(between, begin), names.size());
    wanted.push_back(want(names.substr(begin, end - begin), path));
  }
  return wanted;
}

std::uint32_t Counters::parts(CounterId counter, NodeId node) const {
  const Declared& declared = declared_[index(counter)];
  return declared.source->parts(declared.place, node);
}

std::vector<std::string> Counters::items(CounterId counter) const {
  const Declared& declared = declared_[index(counter)];
  return declared.source->items(declared.place);
}

std::uint32_t Counters::item(CounterId counter, const std::string& name, const std::string& path) {
  const Declared& declared = declared_[index(counter)];
  if (const auto item = declared.source->item(declared.place, name)) return *item;
  throw UserError(path + " = " + name + ": counter " + std::string(declared.info->name) +
                  " counts no such thing apart");
}

std::int64_t Counters::read(NodeId node, CounterInstance instance, CounterId counter, Time now) const {
  const Declared& declared = declared_[index(counter)];
  if (!declared.wanted)
    throw std::logic_error("internal error: counter " + std::string(declared.info->name) + " is read, but not wanted");
  return declared.source->read(declared.place, node, instance, now);
}

Json describe_counters() {
  auto list = Json::array();
  for (const Part& part : hypermon::parts())
    for (const auto& infos : part.counters)
      for (const CounterInfo& info : infos)
        list.push_back({{"name", info.name},
                        {"unit", info.unit},
                        {"kind", name_of(info.kind)},
                        {"of", name_of(info.owner)},
                        {"by", name_of(info.by)},
                        {"description", info.description},
                        {"source", info.source}});
  return list;
}

} // namespace hypermon
