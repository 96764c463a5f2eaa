// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/file_dumps.hpp"
#include "sw/monitors/tau/file_result_keys.hpp"

namespace hypermon::tau {

ResultValues FileDumps::report() const {
  if (dumps_.empty()) return {};
  const auto ms = [](Time time) { return time.seconds() * 1e3; };
  const auto& keys = tau_nfs_keys.dump_times;
  ResultRecords numbers(keys.dumps.list);
  OfAll all;
  Time spread;
  Time whole;
  Time own_mean;
  for (const auto& [number, dump] : dumps_) {
    numbers.add({keys.dumps.number(number), keys.dumps.begin_s(dump.begin), keys.dumps.all_ms(dump.end - dump.begin),
                 keys.dumps.mean_ms(ms(dump.sum) / static_cast<double>(dump.processes)),
                 keys.dumps.least_ms(dump.least), keys.dumps.most_ms(dump.most)});
    all.least = std::min(all.least, dump.least);
    all.most = std::max(all.most, dump.most);
    all.sum += dump.sum;
    all.processes += dump.processes;
    spread += dump.most - dump.least;
    whole += dump.end - dump.begin;
    own_mean += Time::from_ps(dump.sum.ps() / dump.processes);
  }
  const auto count = static_cast<double>(dumps_.size());
  return {keys.mean_ms(ms(all.sum) / static_cast<double>(all.processes)),
          keys.least_ms(all.least),
          keys.most_ms(all.most),
          keys.spread_ms(ms(spread) / count),
          keys.all_ms(ms(whole) / count),
          keys.of_a_process_s(own_mean),
          std::move(numbers)};
}

} // namespace hypermon::tau
