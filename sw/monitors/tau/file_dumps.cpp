// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/file_dumps.hpp"

namespace hypermon::tau {

Json FileDumps::to_json() const {
  if (dumps_.empty()) return nullptr;
  const auto ms = [](Time time) { return time.seconds() * 1e3; };
  Json numbers = Json::array();
  OfAll all;
  Time spread;
  Time whole;
  Time own_mean;
  for (const auto& [number, dump] : dumps_) {
    numbers.push_back({{"number", number},
                       {"begin_s", dump.begin.seconds()},
                       {"all_ms", ms(dump.end - dump.begin)},
                       {"mean_ms", ms(dump.sum) / static_cast<double>(dump.processes)},
                       {"least_ms", ms(dump.least)},
                       {"most_ms", ms(dump.most)}});
    all.least = std::min(all.least, dump.least);
    all.most = std::max(all.most, dump.most);
    all.sum += dump.sum;
    all.processes += dump.processes;
    spread += dump.most - dump.least;
    whole += dump.end - dump.begin;
    own_mean += Time::from_ps(dump.sum.ps() / dump.processes);
  }
  const auto count = static_cast<double>(dumps_.size());
  return {{"mean_ms", ms(all.sum) / static_cast<double>(all.processes)},
          {"least_ms", ms(all.least)},
          {"most_ms", ms(all.most)},
          {"spread_ms", ms(spread) / count},
          {"all_ms", ms(whole) / count},
          {"of_a_process_s", own_mean.seconds()},
          {"dumps", std::move(numbers)}};
}

} // namespace hypermon::tau
