// SPDX-License-Identifier: BSD-3-Clause
// Orders in which a server's cache passes and joins jobs that wait for its disk (facts, piosim_rules).
#include "hw/packets/core/cache.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace hypermon::piosim {
namespace {

using DiskKind = DiskOperation::Kind;

void become(JoinedJobs& next, const CacheJob& job) {
  next.operation = {job.kind, job.file, job.offset, job.bytes, 0};
  next.jobs.assign(1, job);
}
void join(JoinedJobs& next, const CacheJob& job) {
  const std::int64_t end = std::max(next.operation.end(), job.end());
  next.operation.offset = std::min(next.operation.offset, job.offset);
  next.operation.bytes = end - next.operation.offset;
  next.jobs.push_back(job);
}
bool touch(const DiskOperation& operation, const CacheJob& job) {
  return operation.end() >= job.offset && job.end() >= operation.offset;
}
std::int64_t joined_bytes(const DiskOperation& operation, const CacheJob& job) {
  return std::max(operation.end(), job.end()) - std::min(operation.offset, job.offset);
}

/// One job at a time: reads if their bytes fit, otherwise the other jobs.
class InTurn : public CacheQueue {
public:
  void add(const CacheJob& job) override { (job.kind == DiskKind::read ? reads_ : others_).push_back(job); }
  std::size_t waiting() const override { return reads_.size() + others_.size(); }
  bool take(CacheMemory& memory, JoinedJobs& next) override {
    const bool reads = !reads_.empty() && memory.fits(reads_.front().bytes);
    std::deque<CacheJob>& from = reads ? reads_ : others_;
    if (from.empty()) return false;
    become(next, from.front());
    if (reads) memory.free -= from.front().bytes;
    from.pop_front();
    return true;
  }

private:
  std::deque<CacheJob> reads_;
  std::deque<CacheJob> others_;
};

/// Jobs in the order of arrival and by their place in files. It finds adjacent jobs as if all were scanned in order.
class Arrivals {
public:
  bool empty() const { return jobs_.empty(); }
  std::size_t size() const { return jobs_.size(); }
  void add(const CacheJob& job) {
    jobs_.emplace(++number_, job);
    places_.emplace(Place{job.file, job.kind, job.offset, number_}, job.bytes);
    longest_ = std::max(longest_, job.bytes);
  }
  CacheJob take(std::uint64_t number) {
    const CacheJob job = jobs_.extract(number).mapped();
    places_.erase({job.file, job.kind, job.offset, number});
    return job;
  }
  std::uint64_t first() const { return jobs_.begin()->first; }
  const CacheJob& at(std::uint64_t number) const { return jobs_.at(number); }
  /// The first job after `after` that is adjacent to the operation and satisfies `is_wanted`; 0: none.
  template <class IsWanted>
  std::uint64_t touching(const DiskOperation& operation, std::uint64_t after, IsWanted&& is_wanted) const {
    std::uint64_t found = 0;
    const Place from{operation.file, operation.kind, operation.offset - longest_, 0};
    for (auto at = places_.lower_bound(from); at != places_.end(); ++at) {
      const auto& [file, kind, offset, number] = at->first;
      if (file != operation.file || kind != operation.kind || offset > operation.end()) break;
      if (number <= after || (found != 0 && number > found)) continue;
      if (offset + at->second >= operation.offset && is_wanted(at->second)) found = number;
    }
    return found;
  }

private:
  using Place = std::tuple<FileId, DiskKind, std::int64_t, std::uint64_t>;
  std::map<std::uint64_t, CacheJob> jobs_;
  std::map<Place, std::int64_t> places_; // sizes of the jobs
  std::int64_t longest_ = 0;
  std::uint64_t number_ = 0;
};

/// The oldest job with all jobs adjacent to it, adjacent to both, and so on. The queue is scanned in order until
/// nothing more is found, or until a job would make the operation too large.
class Aggregation : public CacheQueue {
public:
  explicit Aggregation(std::int64_t granularity) : granularity_(granularity) {}
  void add(const CacheJob& job) override { (job.kind == DiskKind::read ? reads_ : others_).add(job); }
  std::size_t waiting() const override { return reads_.size() + others_.size(); }
  bool take(CacheMemory& memory, JoinedJobs& next) override {
    const bool reads = !reads_.empty() && memory.fits(granularity_);
    Arrivals& from = reads ? reads_ : others_;
    if (from.empty()) return false;
    const CacheMemory at_first = memory;
    become(next, from.take(from.first()));
    if (reads) memory.free -= next.operation.bytes;
    if (next.operation.kind == DiskKind::flush) return true;
    std::uint64_t looked_at = 0;
    for (bool found = false;;) {
      const std::uint64_t number =
          from.touching(next.operation, looked_at, [&](std::int64_t bytes) { return at_first.fits(bytes); });
      if (number == 0) {
        if (!found) return true;
        found = false;
        looked_at = 0;
        continue;
      }
      if (joined_bytes(next.operation, from.at(number)) > granularity_) return true;
      looked_at = number;
      found = true;
      join(next, from.take(number));
      if (reads) memory.free -= next.jobs.back().bytes;
    }
  }

private:
  std::int64_t granularity_;
  Arrivals reads_;
  Arrivals others_;
};

/// Within a file, from the lowest offset on with everything adjacent; then the next file. Reads are served until there
/// are none or no memory for them, then writes until there are none. A file's flushes come after its writes, combined
/// into one.
class Reordering : public CacheQueue {
public:
  explicit Reordering(std::int64_t granularity) : granularity_(granularity) {}

  void add(const CacheJob& job) override {
    ++waiting_;
    Phase& phase = job.kind == DiskKind::read ? reads_ : writes_;
    const auto [found, is_new] = phase.files.try_emplace(job.file);
    if (is_new) phase.turn.push_back(job.file);
    if (job.kind == DiskKind::flush)
      found->second.flushes.push_back(job);
    else
      found->second.by_offset.emplace(job.offset, job);
  }
  std::size_t waiting() const override { return waiting_; }

  bool take(CacheMemory& memory, JoinedJobs& next) override {
    for (int phases = 0; phases < 3; ++phases, reading_ = !reading_) {
      if (reading_ && !memory.fits(granularity_)) continue;
      if (take_of(reading_ ? reads_ : writes_, reading_, memory, next)) {
        waiting_ -= next.jobs.size();
        return true;
      }
    }
    reading_ = true;
    return false;
  }

private:
  struct Waiting {
    std::multimap<std::int64_t, CacheJob> by_offset{};
    std::vector<CacheJob> flushes{};
    bool empty() const { return by_offset.empty() && flushes.empty(); }
  };
  struct Phase {
    std::map<FileId, Waiting> files{};
    std::deque<FileId> turn{};
  };

  bool take_of(Phase& phase, bool reading, CacheMemory& memory, JoinedJobs& next) {
    if (phase.turn.empty()) return false;
    if (!file_ || !phase.files.contains(*file_)) file_ = phase.turn.front();
    Waiting& own = phase.files.at(*file_);
    if (own.by_offset.empty()) {
      become(next, own.flushes.front());
      next.jobs = std::exchange(own.flushes, {});
    } else {
      become(next, own.by_offset.extract(own.by_offset.begin()).mapped());
      if (reading) memory.free -= next.operation.bytes;
      while (!own.by_offset.empty()) {
        const CacheJob& after = own.by_offset.begin()->second;
        if (!touch(next.operation, after) || joined_bytes(next.operation, after) > granularity_) break;
        if (reading && !memory.fits(after.bytes)) break;
        join(next, own.by_offset.extract(own.by_offset.begin()).mapped());
        if (reading) memory.free -= next.jobs.back().bytes;
      }
    }
    if (own.empty()) {
      std::erase(phase.turn, *file_);
      phase.files.erase(*file_);
    }
    return true;
  }

  std::int64_t granularity_;
  Phase reads_;
  Phase writes_;
  std::optional<FileId> file_; // file of the last operation
  bool reading_ = true;
  std::size_t waiting_ = 0;
};

} // namespace

std::unique_ptr<CacheQueue> make_cache_queue(CacheModel model, std::int64_t granularity) {
  switch (model) {
  case CacheModel::aggregation:
    return std::make_unique<Aggregation>(granularity);
  case CacheModel::aggregation_reorder:
    return std::make_unique<Reordering>(granularity);
  case CacheModel::none:
  case CacheModel::write_behind:
    break;
  }
  return std::make_unique<InTurn>();
}

} // namespace hypermon::piosim
