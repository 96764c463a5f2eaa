// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/sampler.hpp"

#include <algorithm>

namespace hypermon::hdtrace {

Sampler::Sampler(Recording& recording, Site& site, bool nic_by_bytes)
    : recording_(recording), site_(site), nic_by_bytes_(nic_by_bytes),
      busy_(site.counters().want("cpu.busy", "hdtrace.sample_ms")) {
  for (const char* name : {"interface.bytes_received", "network.bytes_received"})
    in_.push_back(site.counters().want(name, "hdtrace.sample_ms"));
  for (const char* name : {"interface.bytes_sent", "network.bytes_sent"})
    out_.push_back(site.counters().want(name, "hdtrace.sample_ms"));
}

void Sampler::start() {
  for (std::size_t n = 0; n < recording_.nodes(); ++n) {
    const Path path{recording_.host(n)};
    std::vector<Column> columns{{"CPU_TOTAL", Column::Type::real, "%", "CPU"},
                                {"NET_IN", Column::Type::int64, "B", "NET"},
                                {"NET_OUT", Column::Type::int64, "B", "NET"},
                                {"NET_UTIL", Column::Type::real, "%", "NET_UTIL"},
                                {"HDD_WRITE", Column::Type::int64, "B", "HDD"}};
    const Time begin = recording_.books().begin(n);
    nodes_.push_back({recording_.statistics(path, "Utilization", std::move(columns), begin),
                      recording_.statistics(path, "PowerEstimate", {{"P", Column::Type::real, "W"}}, begin),
                      {}});
  }
  for (std::size_t n = 0; n < recording_.nodes(); ++n)
    site_.daemon(
        Place::of(NodeId{static_cast<std::uint32_t>(n)}), "rut", [this, n](Daemon& self) { run(self, n); }, "nodes");
}

void Sampler::run(Daemon& self, std::size_t node) {
  const Time period = recording_.params().sample_ms;
  const Time cost = recording_.params().sample_us;
  Reading before = read(node, self.now());
  for (Time next = period;; next += period) {
    if (next < self.now()) {
      const std::int64_t late = (self.now() - next) / period;
      nodes_[node].summary.missed += static_cast<std::uint64_t>(late);
      next += period * late;
    }
    self.sleep_until(next);
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
          .written = recording_.disk(node).written(),
          .nic = computer.busy(Share::nic),
          .polling = computer.busy(Share::waiting),
          .joules = computer.joules()};
}

void Sampler::write(std::size_t node, const Reading& before, const Reading& now) {
  const Time length = now.when - before.when;
  const double seconds = length.seconds();
  // An operating system sees a process that polls at work.
  const std::int64_t busy = now.cpu - before.cpu + (now.polling - before.polling).ps();
  const double cpu =
      std::min(1.0, static_cast<double>(busy) / static_cast<double>(length.ps() * recording_.processors()));
  const auto bytes = [](std::int64_t a, std::int64_t b) { return static_cast<double>(b - a); };
  const double moved = bytes(before.in, now.in) + bytes(before.out, now.out);
  const PowerParams& power = recording_.power_params();
  const double nic = nic_by_bytes_ ? std::min(1.0, moved / seconds / (power.nic_mb_per_s * 1e6))
                                   : (now.nic - before.nic).seconds() / seconds;
  const double disk = bytes(before.written, now.written) / seconds / (power.disk_mb_per_s * 1e6);
  const auto local = recording_.books().read(node, now.when);
  Node& own = nodes_[node];
  own.utilization->add(local, {100 * cpu, bytes(before.in, now.in), bytes(before.out, now.out), 100 * nic,
                               bytes(before.written, now.written)});
  // From what is in the file, in its precision.
  const double watts =
      estimate(watts_of(power), recording_.processors(), static_cast<double>(static_cast<float>(100 * cpu)) / 100,
               static_cast<double>(static_cast<float>(100 * nic)) / 100, disk);
  own.estimate->add(local, {watts});
  if (own.summary.samples++ == 0) own.summary.from = before.when;
  own.summary.to = now.when;
  own.summary.estimated += watts * seconds;
  own.summary.truth += now.joules - before.joules;
}

void Sampler::close() {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n].utilization->close(recording_.books().shift(n));
    nodes_[n].estimate->close(recording_.books().shift(n));
  }
}

} // namespace hypermon::hdtrace
