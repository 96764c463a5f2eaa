// SPDX-License-Identifier: BSD-3-Clause
// Self-description of the worker: parameters, result keys, monitors, workloads, versions.
#include "platforms/worker/describe.hpp"
#include "base/counters.hpp"
#include "base/json.hpp"
#include "base/parts.hpp"
#include "base/run_keys.hpp"
#include "sw/monitors/reported_keys.hpp"

#include <systemc>

#include <simgrid/engine.h> // required by the next header
#include <simgrid/version.h>

#include <algorithm>

namespace hypermon {
namespace {

/// A key with its path and the descriptions by all parts that declare it.
struct DescribedKey {
  ResultInfo key;
  std::string description;
};

Json describe_results() {
  std::vector<DescribedKey> described;
  std::vector<std::string_view> lists_with_nulls;
  const auto add = [&](const ResultKeys& keys) {
    for (const ResultInfo& key : keys) {
      if (key.sort == ResultInfo::Sort::list && key.type.element_may_be_null) lists_with_nulls.push_back(key.path);
      if (key.sort == ResultInfo::Sort::list || key.sort == ResultInfo::Sort::group) continue;
      const std::string description = description_of(key);
      const auto same = std::ranges::find(described, key.path, [](const DescribedKey& one) { return one.key.path; });
      if (same == described.end()) {
        described.push_back({key, description});
        continue;
      }
      if (same->description != description) same->description += " " + description;
      same->key.type.may_be_null |= key.type.may_be_null;
    }
  };
  add(keys_of(run_keys, reported_keys));
  for (const Part& part : parts()) add(part.results);
  Json list = Json::array();
  for (const auto& [key, description] : described) {
    const std::string_view parent = key.path.substr(0, key.path.find_last_of('.'));
    list.push_back({{"path", key.path},
                    {"unit", key.unit},
                    {"description", description},
                    {"type", key.type.name},
                    {"may_be_null", key.type.may_be_null},
                    {"element_may_be_null", std::ranges::find(lists_with_nulls, parent) != lists_with_nulls.end()}});
  }
  return list;
}

Json describe_sections() {
  Json described = Json::object();
  for (const Part& part : parts())
    for (const SectionKind& section : part.sections) described[section.name] = section.description;
  return described;
}

Json describe_part(const Part& part) {
  Json described{{"name", part.name}, {"sections", Json::array()}, {"results", Json::array()}};
  for (const SectionKind& section : part.sections) described["sections"].push_back(section.name);
  for (const ResultInfo& key : part.results)
    if (key.sort == ResultInfo::Sort::value || key.sort == ResultInfo::Sort::remark)
      described["results"].push_back(key.path);
  return described;
}

Json describe_monitors() {
  Json list = Json::array();
  for (const Part& part : parts()) {
    if (part.kind != Part::Kind::monitor) continue;
    Json losses = Json::array();
    for (const MonitorTraits::Place& place : part.monitor.losses) losses.push_back({place.stage, place.cause});
    Json monitor = describe_part(part);
    monitor["ledger"] = {{"unit", part.monitor.ledger_unit}, {"lost", std::move(losses)}};
    monitor["records"] = part.monitor.records;
    monitor["has_waves"] = part.monitor.has_waves;
    monitor["takes_streams"] = part.monitor.takes_streams;
    monitor["takes_samples"] = part.monitor.takes_samples;
    list.push_back(std::move(monitor));
  }
  return list;
}

Json describe_workloads() {
  Json list = Json::array();
  for (const Part& part : parts())
    if (part.kind == Part::Kind::workload) list.push_back(describe_part(part));
  return list;
}

} // namespace

Json describe() {
  return {{"sections", describe_sections()}, {"parameters", describe_parameters()}, {"counters", describe_counters()},
          {"results", describe_results()},   {"monitors", describe_monitors()},     {"workloads", describe_workloads()},
          {"versions", versions()}};
}

Json versions() {
  return {{"hypermon", HYPERMON_VERSION},
          {"simgrid", std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR)},
          {"systemc", SC_VERSION}};
}

} // namespace hypermon
