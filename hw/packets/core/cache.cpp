// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/cache.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermon::piosim {

using DiskKind = DiskOperation::Kind;

ServerCache::ServerCache(const PfsCacheParams& params, const PfsDiskParams& disk, std::int64_t granularity,
                         Events& events, CacheUser& user)
    : takes_turns_(params.model == CacheModel::none), concurrent_(params.concurrent),
      memory_(std::llround(params.memory_mib * static_cast<double>(mib))), left_{memory_},
      queue_(make_cache_queue(params.model, granularity)), user_(user), disk_(disk, events, *this) {}

bool ServerCache::accepts(std::int64_t bytes) const { return takes_turns_ ? writes_ == 0 : left_.fits(bytes); }

void ServerCache::add(const CacheJob& job) {
  ++counts_.jobs;
  if (job.kind == DiskKind::write) {
    ++writes_;
    unwritten_ += job.bytes;
    left_.free -= job.bytes;
    counts_.most_bytes = std::max(counts_.most_bytes, memory_ - left_.free);
  }
  queue_->add(job);
  counts_.longest_queue = std::max<std::uint64_t>(counts_.longest_queue, queue_->waiting());
  hand_on();
}

void ServerCache::give_back(std::int64_t bytes) {
  left_.free += bytes;
  hand_on();
  if (writes_ == 0) user_.has_room(); // no later event would check for room
}

void ServerCache::hand_on() {
  while (at_disk_.size() < static_cast<std::size_t>(concurrent_)) {
    JoinedJobs next;
    if (!queue_->take(left_, next)) return;
    counts_.most_bytes = std::max(counts_.most_bytes, memory_ - left_.free);
    counts_.joined += next.jobs.size() - 1;
    const std::uint32_t number = at_disk_.add(std::move(next));
    DiskOperation& operation = at_disk_[number].operation;
    operation.number = number;
    disk_.add(operation);
  }
}

void ServerCache::disk_begins(const DiskOperation& operation, Seek seek) {
  const std::vector<CacheJob>& jobs = at_disk_[operation.number].jobs;
  if (operation.kind == DiskKind::write)
    for (const CacheJob& job : jobs) unwritten_ -= job.bytes;
  user_.disk_begins(operation, seek, jobs.front());
}

// Facts (piosim_rules): waiting jobs are checked for room before the memory of a single write is released, but after
// that of joined writes. Where no later check would follow, the check is repeated.
void ServerCache::disk_done(const DiskOperation& operation) {
  user_.disk_ends(operation);
  const std::vector<CacheJob> jobs = std::move(at_disk_[operation.number].jobs);
  const bool is_write = operation.kind == DiskKind::write;
  std::int64_t bytes = 0;
  if (is_write) {
    for (const CacheJob& job : jobs) bytes += job.bytes;
    writes_ -= static_cast<std::int64_t>(jobs.size());
    if (jobs.size() > 1) left_.free += std::exchange(bytes, 0);
  }
  for (const CacheJob& job : jobs) user_.cached(job);
  if (is_write) user_.has_room();
  left_.free += bytes;
  at_disk_.remove(operation.number);
  hand_on();
  if (is_write && writes_ == 0) user_.has_room();
}

} // namespace hypermon::piosim
