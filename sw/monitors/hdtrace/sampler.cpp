// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/sampler.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace hypermon::hdtrace {
namespace {

constexpr const char* groups_path = "hdtrace.groups";
/// The monitor's own groups, and the layers of the file system.
constexpr std::array own_groups{"Utilization", "PowerEstimate", "Energy", "CLIENT", "BMI",
                                "FLOW",        "REQ",           "SERVER", "TROVE",  "DISK"};
constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

bool grows(CounterKind kind) { return kind != CounterKind::raw && kind != CounterKind::length; }

} // namespace

Sampler::Sampler(Recording& recording, Site& site, bool nic_by_bytes)
    : recording_(recording), site_(site), nic_by_bytes_(nic_by_bytes),
      busy_(site.counters().want("cpu.busy", "hdtrace.sample_ms")) {
  for (const char* name : {"interface.bytes_received", "network.bytes_received"})
    in_.push_back(site.counters().want(name, "hdtrace.sample_ms"));
  for (const char* name : {"interface.bytes_sent", "network.bytes_sent"})
    out_.push_back(site.counters().want(name, "hdtrace.sample_ms"));
  std::istringstream texts(recording.params().groups);
  for (std::string text; std::getline(texts, text, ';');) groups_.push_back(group(text));
}

/// Syntax: NAME: COUNTER COUNTER/ITEM ...
Sampler::Group Sampler::group(const std::string& text) const {
  const auto refuse = [&](const std::string& why) { throw UserError(std::string(groups_path) + " = " + text + why); };
  const std::size_t colon = text.find(':');
  std::istringstream head(text.substr(0, colon));
  Group found;
  std::string more;
  head >> found.name >> more;
  if (colon == std::string::npos || found.name.empty() || !more.empty() ||
      found.name.find_first_not_of(letters) != std::string::npos)
    refuse(": must be like QUEUES: queue.posted queue.unexpected; a name of letters and digits, a colon, counters");
  const auto is_it = [&](const auto& name) { return name == found.name; };
  if (std::ranges::any_of(own_groups, is_it) || std::ranges::any_of(groups(), is_it))
    refuse(": there is such a group already");
  std::istringstream words(text.substr(colon + 1));
  for (std::string word; words >> word;) {
    const std::size_t slash = word.find('/');
    Counters& counters = site_.counters();
    Group::Counter counter{counters.want(word.substr(0, slash), groups_path), 0, word};
    const bool is_whole = counters.info(counter.id).by == CounterBy::whole;
    if (is_whole != (slash == std::string::npos))
      refuse(is_whole ? ": " + word.substr(0, slash) + " has no items"
                      : ": " + word + " counts by " + std::string(name_of(counters.info(counter.id).by)) +
                            ": name an item, as in mpi.calls/MPI_Send");
    if (!is_whole) counter.item = counters.item(counter.id, word.substr(slash + 1), groups_path);
    found.counters.push_back(std::move(counter));
  }
  if (found.counters.empty()) refuse(": names no counter");
  return found;
}

std::vector<std::string> Sampler::groups() const {
  std::vector<std::string> names;
  for (const Group& group : groups_) names.push_back(group.name);
  return names;
}

/// One column for each processor, process or interface of the node.
std::vector<Column> Sampler::columns_of(const Group& group, NodeId node) const {
  std::vector<Column> found;
  for (const Group::Counter& counter : group.counters) {
    const CounterInfo& info = site_.counters().info(counter.id);
    const std::uint32_t parts = site_.counters().parts(counter.id, node);
    for (std::uint32_t part = 0; part < parts; ++part)
      found.push_back({parts == 1 ? counter.name : counter.name + ":" + std::to_string(part), Column::Type::int64,
                       std::string(info.unit), counter.name});
  }
  return found;
}

std::vector<std::int64_t> Sampler::read(const Group& group, NodeId node, Time now) const {
  std::vector<std::int64_t> values;
  for (const Group::Counter& counter : group.counters)
    for (std::uint32_t part = 0; part < site_.counters().parts(counter.id, node); ++part)
      values.push_back(site_.counters().read(node, {.part = part, .item = counter.item}, counter.id, now));
  return values;
}

void Sampler::write_groups(std::size_t node, Time now) {
  const NodeId id{static_cast<std::uint32_t>(node)};
  const Time local = recording_.trace_ledger().read(node, now);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    GroupOfNode& own = nodes_[node].groups[g];
    const std::vector<std::int64_t> read = this->read(groups_[g], id, now);
    std::vector<double> values;
    for (const Group::Counter& counter : groups_[g].counters)
      for (std::uint32_t part = 0; part < site_.counters().parts(counter.id, id); ++part) {
        const std::size_t column = values.size();
        const std::int64_t before = grows(site_.counters().info(counter.id).kind) ? own.before[column] : 0;
        values.push_back(static_cast<double>(read[column] - before));
      }
    own.file->add(local, values);
    own.before = read;
  }
}

void Sampler::start() {
  for (std::size_t n = 0; n < recording_.nodes(); ++n) {
    const Path path{recording_.host(n)};
    std::vector<Column> columns{{"CPU_TOTAL", Column::Type::real, "%", "CPU"},
                                {"NET_IN", Column::Type::int64, "B", "NET"},
                                {"NET_OUT", Column::Type::int64, "B", "NET"},
                                {"NET_UTIL", Column::Type::real, "%", "NET_UTIL"},
                                {"HDD_WRITE", Column::Type::int64, "B", "HDD"}};
    const Time begin = recording_.trace_ledger().begin(n);
    nodes_.push_back({recording_.statistics(path, "Utilization", std::move(columns), begin),
                      recording_.statistics(path, "PowerEstimate", {{"P", Column::Type::real, "W"}}, begin)});
    for (const Group& group : groups_) {
      std::vector<Column> own = columns_of(group, NodeId{static_cast<std::uint32_t>(n)});
      std::vector<std::int64_t> zeros(own.size());
      nodes_.back().groups.push_back(
          {recording_.statistics(path, group.name, std::move(own), begin), std::move(zeros)});
    }
  }
  for (std::size_t n = 0; n < recording_.nodes(); ++n)
    site_.daemon(
        Place::node(NodeId{static_cast<std::uint32_t>(n)}), "rut", [this, n](Daemon& self) { run(self, n); }, "nodes");
}

void Sampler::run(Daemon& self, std::size_t node) {
  const Time period = recording_.params().sample_ms;
  const Time cost = recording_.params().sample_us;
  const NodeClock& clock = site_.clock(NodeId{static_cast<std::uint32_t>(node)});
  Reading before = read(node, self.now());
  for (Time next = clock.first_mark(self.now(), period);; next += period) {
    if (const Time now = clock.local(self.now()); next < now) {
      const std::int64_t late = (now - next) / period;
      nodes_[node].summary.missed += static_cast<std::uint64_t>(late);
      next += period * late;
    }
    self.sleep_until(clock.when(next, self.now()));
    if (cost > Time{}) self.compute(cost);
    recording_.add_cpu(cost);
    const Reading now = read(node, self.now());
    if (now.when > before.when) write(node, before, now);
    before = now;
  }
}

std::int64_t Sampler::sum(const std::vector<CounterId>& counters, std::size_t node, Time now) const {
  const NodeId id{static_cast<std::uint32_t>(node)};
  std::int64_t all = 0;
  for (const CounterId counter : counters)
    for (std::uint32_t part = 0; part < site_.counters().parts(counter, id); ++part)
      all += site_.counters().read(id, {.part = part, .item = 0}, counter, now);
  return all;
}

Sampler::Reading Sampler::read(std::size_t node, Time now) {
  const Computer& computer = recording_.power(node).at(now);
  return {.when = now,
          .cpu = site_.counters().read(NodeId{static_cast<std::uint32_t>(node)}, {}, busy_, now),
          .in = sum(in_, node, now),
          .out = sum(out_, node, now),
          .written = recording_.disk(node).written() + recording_.disk(node).served(),
          .nic = computer.busy(Share::nic),
          .polling = computer.busy(Share::waiting),
          .joules = computer.joules()};
}

void Sampler::write(std::size_t node, const Reading& before, const Reading& now) {
  const Time length = now.when - before.when;
  const double seconds = length.seconds();
  // To an operating system, a process that polls is busy.
  const std::int64_t busy = now.cpu - before.cpu + (now.polling - before.polling).ps();
  const double cpu =
      std::min(1.0, static_cast<double>(busy) / static_cast<double>(length.ps() * recording_.processors()));
  const auto bytes = [](std::int64_t a, std::int64_t b) { return static_cast<double>(b - a); };
  const double moved = bytes(before.in, now.in) + bytes(before.out, now.out);
  const PowerParams& power = recording_.power_params();
  const double nic = nic_by_bytes_ ? std::min(1.0, moved / seconds / (power.nic_mb_per_s * 1e6))
                                   : (now.nic - before.nic).seconds() / seconds;
  const double disk = bytes(before.written, now.written) / seconds / (power.disk_mb_per_s * 1e6);
  const auto local = recording_.trace_ledger().read(node, now.when);
  Node& own = nodes_[node];
  own.utilization->add(local, {100 * cpu, bytes(before.in, now.in), bytes(before.out, now.out), 100 * nic,
                               bytes(before.written, now.written)});
  // Computed from the values in the file, with their precision.
  const double watts =
      estimate(watts_of(power), recording_.processors(), static_cast<double>(static_cast<float>(100 * cpu)) / 100,
               static_cast<double>(static_cast<float>(100 * nic)) / 100, disk);
  own.estimate->add(local, {watts});
  write_groups(node, now.when);
  if (own.summary.samples++ == 0) own.summary.from = before.when;
  own.summary.to = now.when;
  own.summary.estimated += watts * seconds;
  own.summary.truth += now.joules - before.joules;
}

void Sampler::close() {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n].utilization->close(recording_.trace_ledger().shift(n));
    nodes_[n].estimate->close(recording_.trace_ledger().shift(n));
    for (const GroupOfNode& group : nodes_[n].groups) group.file->close(recording_.trace_ledger().shift(n));
  }
}

} // namespace hypermon::hdtrace
