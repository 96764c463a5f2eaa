// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/outcome.hpp"
#include "sw/monitors/report.hpp"
#include "sw/monitors/scms/clients/result_keys.hpp"

namespace hypermon::scms {

void Outcome::add(const Answer& answer) {
  ++requests_;
  for (const Value& value : answer.rows.values) {
    switch (value.state) {
    case State::ok:
    case State::same:
      ++values_;
      ages_s_ += (answer.answered - value.taken).seconds();
      age_.add(answer.answered - value.taken);
      break;
    case State::unknown:
      ++unprovided_;
      break;
    case State::failed:
      ++failed_;
      break;
    case State::missing:
    case State::outside:
    case State::uncached:
      ++missing_;
      break;
    }
  }
}

void Outcome::end(Time date, Time now) {
  ++calls_;
  const Time took = now - date;
  if (!first_) first_ = took;
  took_ += took;
  latency_.add(took);
}

void Outcome::choose(const std::optional<Truth>& truth) {
  ++choices_;
  if (!truth) return;
  ++judged_;
  if (truth->better == 0) ++right_;
  better_ += static_cast<double>(truth->better);
  regret_ += static_cast<double>(truth->regret);
}

void Outcome::add_to(ResultValues& values) const {
  const auto mean = [](double sum, std::uint64_t count) {
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
  };
  const auto longest = [](const TimeHistogram& times, std::uint64_t count) {
    return count == 0 ? std::nullopt : std::optional(times.max());
  };
  const auto& keys = scms_client_keys.clients;
  for (ResultValue& value :
       ResultValues{keys.calls(calls_), keys.missed_calls(missed_), keys.requests(requests_), keys.values(values_),
                    keys.missing(missing_), keys.unprovided(unprovided_), keys.failed(failed_), keys.first_s(first_),
                    keys.mean_s(mean(took_.seconds(), calls_)), keys.longest_s(longest(latency_, calls_)),
                    keys.latency_us(latency_to_json(latency_)), keys.mean_age_s(mean(ages_s_, values_)),
                    keys.oldest_s(longest(age_, values_)), keys.age_us(latency_to_json(age_)), keys.choices(choices_),
                    keys.judged(judged_), keys.right(right_), keys.mean_better(mean(better_, judged_)),
                    keys.mean_regret(mean(regret_, judged_))})
    values.push_back(std::move(value));
}

} // namespace hypermon::scms
