// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/sample_log.hpp"
#include "base/text_file.hpp"
#include "sw/monitors/site_keys.hpp"

#include <algorithm>
#include <stdexcept>

namespace hypermon {

Sample SampleLog::take(NodeId node, CounterInstance instance, CounterId counter, Time now, Time stamp) {
  const Sample sample{
      in_flight_.give(), node, counter, instance, counters_.read(node, instance, counter, now), now, stamp};
  const auto number = static_cast<std::size_t>(counter);
  if (counters_seen_.size() <= number) counters_seen_.resize(number + 1);
  counters_seen_[number] = true;
  if (!file_ && !folder_.empty()) file_ = std::make_unique<NpyFile<SampleRow>>(folder_ + "/samples.npy");
  return sample;
}

void SampleLog::settle(const Sample& sample) {
  if (!in_flight_.settle(sample.number))
    throw std::logic_error("internal error: sample " + std::to_string(sample.number) + " came to its end twice");
}

void SampleLog::arrive(const Sample& sample, Time now) {
  settle(sample);
  ++delivered_;
  age_.add(now - sample.taken);
  timestamp_error_.add(sample.stamped - sample.taken);
  if (file_)
    file_->append({sample.taken.ps(), sample.stamped.ps(), now.ps(), sample.value, index(sample.node),
                   static_cast<std::uint32_t>(sample.counter), sample.instance.part, sample.instance.item});
}

void SampleLog::lose(const Sample& sample, const std::string& stage, const std::string& cause) {
  settle(sample);
  ++Ledger::lost_to(lost_, stage, cause).units;
}

void SampleLog::publish() {
  if (!file_) return;
  file_->flush();
  describe();
}

void SampleLog::close() {
  if (!file_) return;
  file_->close();
  describe();
}

void SampleLog::describe() const {
  Json counters = Json::array();
  for (std::size_t i = 0; i < counters_seen_.size(); ++i) {
    if (!counters_seen_[i]) continue;
    const CounterId id{static_cast<std::uint32_t>(i)};
    const CounterInfo& info = counters_.info(id);
    counters.push_back({{"number", i},
                        {"name", info.name},
                        {"unit", info.unit},
                        {"kind", name_of(info.kind)},
                        {"of", name_of(info.owner)},
                        {"by", name_of(info.by)},
                        {"description", info.description},
                        {"items", counters_.items(id)}});
  }
  const std::string path = folder_ + "/samples.json";
  GrowingText file(path); // a reader of the previous file keeps that version
  file.add(Json{{"rows", file_->size()}, {"counters", counters}}, '\n');
  file.close();
}

Ledger SampleLog::ledger() const {
  Ledger ledger("samples");
  ledger.generated.units = in_flight_.given();
  ledger.delivered.units = delivered_;
  ledger.in_flight.units = in_flight_.count();
  ledger.lost = lost_;
  return ledger;
}

void SampleLog::report(Results& results) const {
  const auto& keys = site_keys.sampling;
  std::uint64_t lost = 0;
  std::vector<Json> causes;
  for (const Ledger::Loss& loss : lost_) {
    lost += loss.amount.units;
    causes.push_back({{"stage", loss.stage}, {"cause", loss.cause}, {"samples", loss.amount.units}});
  }
  results.set({keys.taken(in_flight_.given()), keys.delivered(delivered_), keys.in_flight(in_flight_.count()),
               keys.lost_total(lost), keys.lost(causes)});
  results.set(values_of(keys.age_us, age_));
  results.set(values_of(keys.timestamp_error_us, timestamp_error_));
}

} // namespace hypermon
