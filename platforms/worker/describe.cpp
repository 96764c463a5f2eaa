// SPDX-License-Identifier: BSD-3-Clause
// What the worker says of itself: parameters, result keys, monitors, workloads, versions.
#include "platforms/worker/describe.hpp"
#include "base/counters.hpp"
#include "base/json.hpp"
#include "sw/monitors/report.hpp"

#include <systemc>

#include <simgrid/engine.h> // what the next needs
#include <simgrid/version.h>

#include <algorithm>

namespace hypermon {
namespace {

/// What is in the result of every run, whatever its monitor and workload.
ResultKeys run_keys() {
  return {
      {"scenario", "", "Name of what was run.", result::text},
      {"spec", "", "Every parameter, resolved.", result::object},
      {"versions", "", "Versions of hypermon, SimGrid and SystemC.", result::object},
      {"fingerprint", "", "Hash of all emissions (node, time, type, arguments) and of the ranks' times.", result::text},
      {"elapsed_s", "s", "Time of the longest rank in the measured section; without a program, of the run."},
      {"ranks[].elapsed_s", "s", "Time of the rank in the measured section."},
      {"ranks[].compute_s", "s", "Of it: what the program computed."},
      {"ranks[].mpi_s", "s", "Of it: messages, system calls and waiting."},
      {"ranks[].monitor_s", "s",
       "Of it: CPU time that emitting events took on the node, interrupts and ticks included."},
      {"ranks[].events", "events", "Events emitted on the node."},
      {"neighbours[].workload", "", "Workload of a program beside the monitored one (section neighbour), in order.",
       result::text},
      {"neighbours[].nodes", "", "Its nodes."},
      {"neighbours[].begin_s", "s", "When the first of its ranks had begun (MPI_Init); null if none had.",
       result::or_null()},
      {"neighbours[].end_s", "s", "When the last of them ended (MPI_Finalize); null if it was stopped before.",
       result::or_null()},
      {"neighbours[].elapsed_s", "s", "What lies between the two; null if one of them is.", result::or_null()},
      {"cpu.nodes[].working_s", "s",
       "What the processors of a node worked until the program ended. cpu.nodes[] is null for a node whose processors "
       "nobody shares; there are no such keys if nobody shares any.",
       result::of_some_elements()},
      {"cpu.nodes[].kernel_s", "s", "Of them: the kernel's."},
      {"cpu.nodes[].switching_s", "s", "Of them: context switches."},
      {"cpu.nodes[].idle_s", "s", "Of them: nothing."},
      {"cpu.nodes[].switches", "", "How often they went on with another process."},
      {"cpu.ranks[].used_s", "s",
       "CPU time of the rank, polling included. cpu.ranks[] is null for a rank of a node whose processors nobody "
       "shares.",
       result::of_some_elements()},
      {"cpu.ranks[].waited_s", "s", "Time for which it wanted a processor and had none."},
      {"cpu.ranks[].switches", "", "How often a processor went over to it from another process."},
      {"events", "events", "Events of all nodes."},
      {"event_bytes", "B", "Their data, without timestamps and padding."},
      {"warnings", "", "What would be misread: only there if there is such.", result::texts},
      {"unmodelled_calls[].function", "",
       "MPI function that communicates without a model under this machine.messages: SMPI carries it over the links "
       "alone. Only there if the program called one.",
       result::text},
      {"unmodelled_calls[].calls", "", "Number of calls of that function by all ranks."},
  };
}

Json describe_results() {
  ResultKeys keys = run_keys();
  const auto add = [&keys](const ResultKeys& more) {
    for (const ResultKey& key : more) {
      const auto same = std::ranges::find(keys, key.path, &ResultKey::path);
      if (same == keys.end()) {
        keys.push_back(key);
        continue;
      }
      if (same->description != key.description) same->description += " " + key.description; // of another monitor
      same->type.may_be_null |= key.type.may_be_null;
    }
  };
  add(reported_keys());
  for (const Part& part : parts()) add(part.results);
  Json list = Json::array();
  for (const ResultKey& k : keys)
    list.push_back({{"path", k.path},
                    {"unit", k.unit},
                    {"description", k.description},
                    {"type", type_of(k)},
                    {"may_be_null", k.type.may_be_null},
                    {"element_may_be_null", k.type.element_may_be_null}});
  return list;
}

Json describe_part(const Part& part) {
  Json described{{"name", part.name}, {"sections", Json::array()}, {"results", Json::array()}};
  for (const SectionKind& section : part.sections) described["sections"].push_back(section.name);
  for (const ResultKey& key : part.results) described["results"].push_back(key.path);
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
  return {{"parameters", describe_parameters()}, {"counters", describe_counters()},   {"results", describe_results()},
          {"monitors", describe_monitors()},     {"workloads", describe_workloads()}, {"versions", versions()}};
}

Json versions() {
  return {{"hypermon", HYPERMON_VERSION},
          {"simgrid", std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR)},
          {"systemc", SC_VERSION}};
}

} // namespace hypermon
