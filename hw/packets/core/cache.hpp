// SPDX-License-Identifier: BSD-3-Clause
// A server's cache: written data wait in its memory for the disk, and data are read through it. Its queue
// (cache_queues.cpp) orders and joins the waiting jobs.
#pragma once
#include "hw/packets/core/disk.hpp"
#include "hw/packets/core/pool.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hypermon::piosim {

/// A piece to write to the disk or read from it, at most as long as the granularity.
struct CacheJob {
  DiskOperation::Kind kind = DiskOperation::Kind::write;
  FileId file{};
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::uint64_t tag = 0; ///< identifies the job to its owner
  std::int64_t end() const { return offset + bytes; }
};

struct CacheMemory {
  std::int64_t free = 0;
  /// Strictly less, because the paper's simulator always keeps one byte free.
  bool fits(std::int64_t bytes) const { return free > bytes; }
};

/// One disk operation that combines jobs.
struct JoinedJobs {
  DiskOperation operation;
  std::vector<CacheJob> jobs;
};

class CacheQueue {
public:
  virtual ~CacheQueue() = default;
  virtual void add(const CacheJob& job) = 0;
  virtual std::size_t waiting() const = 0;
  /// Takes out the jobs for the disk's next operation, if memory allows; reads allocate their bytes. Returns false if
  /// there are none.
  virtual bool take(CacheMemory& memory, JoinedJobs& next) = 0;
};
std::unique_ptr<CacheQueue> make_cache_queue(CacheModel model, std::int64_t granularity);

struct CacheCounts {
  std::uint64_t jobs = 0;
  std::uint64_t joined = 0; ///< jobs that joined another job's operation
  std::uint64_t longest_queue = 0;
  std::int64_t most_bytes = 0; ///< largest use of the cache's memory
};

class CacheUser {
public:
  /// The job is done.
  virtual void cached(const CacheJob& job) = 0;
  /// There may be room again, so accepts() may have changed.
  virtual void has_room() = 0;
  virtual void disk_begins(const DiskOperation& operation, Seek seek, const CacheJob& cause) = 0;
  virtual void disk_ends(const DiskOperation& operation) = 0;

protected:
  ~CacheUser() = default;
};

class ServerCache : DiskUser {
public:
  ServerCache(const PfsCacheParams& params, const PfsDiskParams& disk, std::int64_t granularity, Events& events,
              CacheUser& user);

  /// True if `bytes` bytes may be written now.
  bool accepts(std::int64_t bytes) const;
  void add(const CacheJob& job);
  /// Bytes that were read have left the server.
  void give_back(std::int64_t bytes);
  /// Bytes that wait to be written, without those of operations that the disk has begun.
  std::int64_t unwritten() const { return unwritten_; }
  const CacheCounts& counts() const { return counts_; }
  const DiskCounts& disk() const { return disk_.counts(); }

private:
  void disk_begins(const DiskOperation& operation, Seek seek) override;
  void disk_done(const DiskOperation& operation) override;
  void hand_on();

  bool takes_turns_; // no cache: jobs take turns
  std::int64_t concurrent_;
  std::int64_t memory_;
  CacheMemory left_;
  std::unique_ptr<CacheQueue> queue_;
  CacheUser& user_;
  ServerDisk disk_;
  Pool<JoinedJobs> at_disk_;
  std::int64_t unwritten_ = 0;
  std::int64_t writes_ = 0; // writes that wait or are at the disk
  CacheCounts counts_;
};

} // namespace hypermon::piosim
