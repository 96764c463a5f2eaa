// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/outcome.hpp"
#include "sw/monitors/report.hpp"

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

void Outcome::report(Json& json) const {
  const auto mean = [](double sum, std::uint64_t count) {
    return count == 0 ? Json() : Json(sum / static_cast<double>(count));
  };
  json["calls"] = calls_;
  json["missed_calls"] = missed_;
  json["requests"] = requests_;
  json["values"] = values_;
  json["missing"] = missing_;
  json["unprovided"] = unprovided_;
  json["failed"] = failed_;
  json["first_s"] = first_ ? Json(first_->seconds()) : Json();
  json["mean_s"] = mean(took_.seconds(), calls_);
  json["longest_s"] = calls_ > 0 ? Json(latency_.max().seconds()) : Json();
  json["latency_us"] = latency_to_json(latency_);
  json["mean_age_s"] = mean(ages_s_, values_);
  json["oldest_s"] = values_ > 0 ? Json(age_.max().seconds()) : Json();
  json["age_us"] = latency_to_json(age_);
  json["choices"] = choices_;
  json["judged"] = judged_;
  json["right"] = right_;
  json["mean_better"] = mean(better_, judged_);
  json["mean_regret"] = mean(regret_, judged_);
}

} // namespace hypermon::scms
