// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/plugins/counter_reader.hpp"
#include "base/user_error.hpp"

namespace hypermon::scms {

CounterReader::CounterReader(const Counters& counters, CounterId id) : counters_(&counters), id_(id) {
  const CounterInfo& info = counters.info(id);
  is_whole_ = info.owner == CounterOf::node && info.by == CounterBy::whole;
}

std::optional<CounterReader> CounterReader::first(Counters& counters, const std::vector<const char*>& names) {
  for (const char* const name : names) try {
      return CounterReader(counters, counters.want(name, "scms_plugins"));
    } catch (const UserError&) { // not available in this run or in this version
    }
  return std::nullopt;
}

} // namespace hypermon::scms
