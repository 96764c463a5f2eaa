// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/stations.hpp"
#include "hw/packets/core/rate.hpp"

#include <algorithm>
#include <utility>

namespace hypermon::piosim {

Stations::Stations(const PioCpuParams& params, std::size_t stations, Events& events, const IoObservers& observers)
    : events_(events), observers_(observers), ideal_(params.model == PioCpuModel::ideal),
      processors_(params.processors), cycles_per_s_(params.cycles_per_s), stations_(stations) {}

void Stations::work(Station at, std::int64_t cycles, JobUser& user, std::uint64_t tag) {
  const auto number = static_cast<std::uint32_t>(at);
  Processors& own = stations_[number];
  ++jobs_;
  progress(own);
  const double ps = ideal_ ? 0 : static_cast<double>(std::max<std::int64_t>(cycles, 1)) * 1e12 / cycles_per_s_;
  own.jobs.push_back({static_cast<std::int64_t>(ps), &user, tag});
  if (!observers_.empty() && own.jobs.size() == 1)
    observers_.notify([&](IoObserver& o) { o.busy(events_.now(), at, IoObserver::Part::processor, true); });
  plan(number);
}

/// Work that a job gets of the processors in a time, and the inverse.
std::int64_t Stations::share_of(std::int64_t work, std::size_t jobs) const {
  const auto all = static_cast<std::int64_t>(jobs);
  return all <= processors_ ? work
                            : static_cast<std::int64_t>(static_cast<Wide>(work) * static_cast<Wide>(processors_) /
                                                        static_cast<Wide>(all));
}
std::int64_t Stations::time_for(std::int64_t work, std::size_t jobs) const {
  const auto all = static_cast<std::int64_t>(jobs);
  return all <= processors_ ? work
                            : static_cast<std::int64_t>(static_cast<Wide>(work) * static_cast<Wide>(all) /
                                                        static_cast<Wide>(processors_));
}

void Stations::progress(Processors& at) {
  const std::int64_t done = share_of((events_.now() - at.since).ps(), at.jobs.size());
  for (Job& job : at.jobs) job.left -= done;
  at.since = events_.now();
}

/// Schedules the end of the first job, given the current jobs.
void Stations::plan(std::uint32_t station) {
  Processors& at = stations_[station];
  ++at.plan;
  if (at.jobs.empty()) return;
  const auto first = std::ranges::min_element(at.jobs, {}, &Job::left);
  const Time left = whole_ns(Time::from_ps(time_for(std::max<std::int64_t>(first->left, 0), at.jobs.size())));
  events_.after(ideal_ ? Time{} : left + 1_ns, *this, at.plan, station);
}

void Stations::handle(std::uint32_t what, std::uint32_t which) {
  Processors& at = stations_[which];
  if (what != at.plan) return; // another job has arrived since
  progress(at);
  std::vector<Job> done;
  std::erase_if(at.jobs, [&](const Job& job) {
    if (job.left <= 0) done.push_back(job);
    return job.left <= 0;
  });
  plan(which);
  if (!observers_.empty() && at.jobs.empty())
    observers_.notify(
        [&](IoObserver& o) { o.busy(events_.now(), Station{which}, IoObserver::Part::processor, false); });
  for (const Job& job : done) job.user->worked(job.tag);
}

} // namespace hypermon::piosim
