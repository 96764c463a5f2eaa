// SPDX-License-Identifier: BSD-3-Clause
// A file server without its network: files on a disk, and requests that are served in turn. A state machine over time:
// its driver (hw/machine/servers.hpp) passes requests and queries when the next operation ends.
#pragma once
#include "hw/core/disk.hpp"
#include "hw/machine/storage_params.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hypermon {

/// Counts of a server and its disk.
struct StorageCounts {
  std::uint64_t requests = 0;
  std::uint64_t written_bytes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t operations = 0; ///< operations of the disk
  Time disk_busy;
  std::uint64_t longest_queue = 0; ///< most requests at the server at one time
};

/// Layout of files on a disk, in extents of one size, which are allocated in the order in which files grow.
class FileLayout {
public:
  explicit FileLayout(std::int64_t extent_bytes) : extent_(extent_bytes) {}
  struct Piece {
    std::int64_t address;
    std::int64_t bytes;
  };
  std::int64_t size(const std::string& file) const;
  /// Extends the file. Returns the places of the new bytes.
  std::vector<Piece> append(const std::string& file, std::int64_t bytes);
  /// Places of bytes of the file, which must exist.
  std::vector<Piece> find(const std::string& file, std::int64_t from, std::int64_t bytes) const;
  /// Size of all files, in whole extents, if this one grew by `bytes`.
  std::int64_t taken_with(const std::string& file, std::int64_t bytes) const;

private:
  struct File {
    std::int64_t size = 0;
    std::vector<std::int64_t> extents; // addresses of the extents
  };
  std::int64_t extent_;
  std::int64_t taken_ = 0;
  std::map<std::string, File> files_;
};

/// An operation of the disk, and the request that it serves.
struct DiskOperation {
  std::uint64_t request = 0;
  std::int64_t address = 0;
  std::int64_t bytes = 0;
};

/// Chooses the next of the waiting operations for the disk.
class DiskScheduler {
public:
  virtual ~DiskScheduler() = default;
  virtual void add(const DiskOperation& operation) = 0;
  virtual bool empty() const = 0;
  /// Removes and returns the next operation; `head` is the address at which the disk's last operation ended.
  virtual DiskOperation next(std::int64_t head) = 0;
};
/// Serves operations in the order of their arrival.
std::unique_ptr<DiskScheduler> fifo_scheduler();

DiskGeometry geometry(const DiskParams& disk);

class StorageServer {
public:
  StorageServer(const ServerParams& server, const DiskParams& disk,
                std::unique_ptr<DiskScheduler> scheduler = fifo_scheduler());

  /// A request arrives at the server at `now`, which must not decrease: to append, or to read from offset `from`.
  /// Returns its number. There must be room for written bytes (has_room()).
  std::uint64_t write(Time now, const std::string& file, std::int64_t bytes);
  std::uint64_t read(Time now, const std::string& file, std::int64_t from, std::int64_t bytes);
  bool has_room(const std::string& file, std::int64_t bytes) const;
  /// Number of bytes that a read of `bytes` returns, limited by the end of the file.
  std::int64_t readable(const std::string& file, std::int64_t from, std::int64_t bytes) const;
  /// Time of the next internal change; never if no request is in progress.
  Time next() const;
  struct Done {
    std::uint64_t request;
    Time end;
  };
  /// Requests that are completed by `now`, in the order of completion.
  std::vector<Done> advance(Time now);

  const StorageCounts& counts() const { return counts_; }

private:
  struct Accepted {
    Time when; // the server has processed the request
    std::uint64_t request;
    std::vector<FileLayout::Piece> pieces;
  };
  std::uint64_t accept(Time now, std::vector<FileLayout::Piece> pieces);
  void start(Time now);

  Time request_time_;
  std::int64_t capacity_;
  FileLayout files_;
  std::unique_ptr<DiskScheduler> scheduler_;
  Disk disk_;
  Time looked_until_;
  std::deque<Accepted> accepted_;
  std::map<std::uint64_t, std::size_t> left_; // remaining operations, by request
  bool working_ = false;
  DiskOperation current_;
  Time current_end_;
  std::int64_t head_ = -1;
  StorageCounts counts_;
};

} // namespace hypermon
