// SPDX-License-Identifier: BSD-3-Clause
// A server's cache: what clients write waits in its memory for the disk, what they read comes through it. How it orders
// and joins what waits is its queue's (cache_queues.cpp).
#pragma once
#include "hw/packets/core/disk.hpp"
#include "hw/packets/core/pool.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hypermon::piosim {

/// Bytes that are to go to the disk or to come from it; at most the granularity.
struct CacheJob {
  DiskOperation::Kind kind = DiskOperation::Kind::write;
  FileId file{};
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::uint64_t tag = 0; ///< its owner's
  std::int64_t end() const { return offset + bytes; }
};

struct CacheMemory {
  std::int64_t free = 0;
  /// The paper's simulator takes care to keep one byte.
  bool fits(std::int64_t bytes) const { return free > bytes; }
};

/// One operation for the disk, made of jobs.
struct JoinedJobs {
  DiskOperation operation;
  std::vector<CacheJob> jobs;
};

class CacheQueue {
public:
  virtual ~CacheQueue() = default;
  virtual void add(const CacheJob& job) = 0;
  virtual std::size_t waiting() const = 0;
  /// Takes out what the disk shall do next, if memory allows: what is read takes its bytes there. False: nothing.
  virtual bool take(CacheMemory& memory, JoinedJobs& next) = 0;
};
std::unique_ptr<CacheQueue> make_cache_queue(CacheModel model, std::int64_t granularity);

struct CacheCounts {
  std::uint64_t jobs = 0;
  std::uint64_t joined = 0; ///< jobs that became part of another's operation
  std::uint64_t longest_queue = 0;
  std::int64_t most_bytes = 0; ///< of its memory
};

class CacheUser {
public:
  /// The job is done.
  virtual void cached(const CacheJob& job) = 0;
  /// There may be room again: accepts() is worth another question.
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

  /// May so many bytes be written now?
  bool accepts(std::int64_t bytes) const;
  void add(const CacheJob& job);
  /// What was read has left.
  void give_back(std::int64_t bytes);
  /// Bytes that wait to be written: the disk has not begun with them.
  std::int64_t unwritten() const { return unwritten_; }
  const CacheCounts& counts() const { return counts_; }
  const DiskCounts& disk() const { return disk_.counts(); }

private:
  void disk_begins(const DiskOperation& operation, Seek seek) override;
  void disk_done(const DiskOperation& operation) override;
  void hand_on();

  bool takes_turns_; // there is no cache
  std::int64_t concurrent_;
  std::int64_t memory_;
  CacheMemory left_;
  std::unique_ptr<CacheQueue> queue_;
  CacheUser& user_;
  ServerDisk disk_;
  Pool<JoinedJobs> at_disk_;
  std::int64_t unwritten_ = 0;
  std::int64_t writes_ = 0; // that wait, or are at the disk
  CacheCounts counts_;
};

} // namespace hypermon::piosim
