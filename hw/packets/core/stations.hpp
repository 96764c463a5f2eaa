// SPDX-License-Identifier: BSD-3-Clause
// The stations' processors, which jobs share. A job of n cycles takes n / cycles_per_s of a processor, plus 1 ns.
#pragma once
#include "hw/packets/core/events.hpp"
#include "hw/packets/core/io_observers.hpp"
#include "hw/packets/core/params.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermon::piosim {

/// Owner of jobs.
class JobUser {
public:
  virtual void worked(std::uint64_t tag) = 0;

protected:
  ~JobUser() = default;
};

class Stations : Handler {
public:
  Stations(const PioCpuParams& params, std::size_t stations, Events& events, const IoObservers& observers);

  /// `cycles` is at least one.
  void work(Station at, std::int64_t cycles, JobUser& user, std::uint64_t tag);
  std::uint64_t jobs() const { return jobs_; }

private:
  struct Job {
    std::int64_t left; // rest of the job, in ps of a whole processor
    JobUser* user;
    std::uint64_t tag;
  };
  struct Processors {
    std::vector<Job> jobs{}; // in the order of arrival
    Time since{};
    std::uint32_t plan = 0; // number of the latest plan; events of earlier ones are ignored
  };

  void handle(std::uint32_t what, std::uint32_t which) override;
  void progress(Processors& at);
  void plan(std::uint32_t station);
  std::int64_t share_of(std::int64_t work, std::size_t jobs) const;
  std::int64_t time_for(std::int64_t work, std::size_t jobs) const;

  Events& events_;
  const IoObservers& observers_;
  bool ideal_;
  std::int64_t processors_;
  double cycles_per_s_;
  std::vector<Processors> stations_;
  std::uint64_t jobs_ = 0;
};

} // namespace hypermon::piosim
