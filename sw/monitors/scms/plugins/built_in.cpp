// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/plugins/built_in.hpp"
#include "sw/monitors/scms/plugins/counter_reader.hpp"

#include <algorithm>

namespace hypermon::scms {
namespace {

/// A function that returns the first of these counters that the run has; without a counter, a block of bytes.
struct Entry {
  std::uint32_t number;
  const char* name;
  std::vector<const char*> counters;
};
struct Table {
  const char* name;
  std::vector<Entry> entries;
};

// The numbers must never change, because messages contain them. docs/how-to/scms.md has the table.
const std::vector<Table>& tables() {
  static const std::vector<Table> all{{"hardware",
                                       {{1, "load", {"os.runnable", "cpu.busy"}},
                                        {2, "cpu_busy", {"cpu.busy"}},
                                        {3, "cpu_kernel", {"cpu.kernel"}},
                                        {4, "context_switches", {"os.context_switches"}},
                                        {5, "interrupts", {"os.interrupts"}},
                                        {6, "memory_available", {"memory.available"}},
                                        {7, "network_received", {"network.bytes_received"}},
                                        {8, "network_sent", {"network.bytes_sent"}}}},
                                      {"process",
                                       {{1, "table", {}},
                                        {2, "cpu", {"process.cpu"}},
                                        {3, "program_cpu", {"cpu.user"}},
                                        {4, "working_set", {"process.working_set"}}}},
                                      {"mpi",
                                       {{1, "calls", {"mpi.calls"}},
                                        {2, "time", {"mpi.time"}},
                                        {3, "bytes_sent", {"messages.bytes_sent"}},
                                        {4, "bytes_received", {"messages.bytes_received"}},
                                        {5, "posted", {"queue.posted"}},
                                        {6, "unexpected", {"queue.unexpected"}}}}};
  return all;
}

class BuiltIn final : public Plugin {
public:
  BuiltIn(PluginId id, const Table& table, Counters& counters, std::int32_t table_bytes) : id_(id), name_(table.name) {
    for (const Entry& entry : table.entries) {
      const auto reader = CounterReader::first(counters, entry.counters);
      if (!reader && !std::empty(entry.counters)) continue;
      functions_.push_back({entry.number, entry.name, reader ? 8 : table_bytes});
      readers_.resize(entry.number + 1);
      readers_[entry.number] = reader;
    }
  }
  PluginId id() const override { return id_; }
  const std::string& name() const override { return name_; }
  const std::vector<Function>& functions() const override { return functions_; }
  std::int64_t read(NodeId node, std::uint32_t function, Time now) override {
    const auto& reader = readers_[function];
    return reader ? reader->read(node, now) : 0;
  }
  std::optional<std::uint32_t> counter(std::uint32_t function) const override {
    const auto& reader = readers_[function];
    if (!reader || !reader->is_whole()) return std::nullopt;
    return static_cast<std::uint32_t>(reader->id());
  }

private:
  PluginId id_;
  std::string name_;
  std::vector<Function> functions_;
  std::vector<std::optional<CounterReader>> readers_; // by function
};

} // namespace

const std::vector<std::string>& built_in_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const Table& table : tables()) found.emplace_back(table.name);
    return found;
  }();
  return names;
}

std::unique_ptr<Plugin> built_in(const std::string& name, Counters& counters, std::int32_t table_bytes) {
  const auto& names = built_in_names();
  const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  return std::make_unique<BuiltIn>(static_cast<PluginId>(place + 1), tables().at(place), counters, table_bytes);
}

} // namespace hypermon::scms
