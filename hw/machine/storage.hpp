// SPDX-License-Identifier: BSD-3-Clause
// A file server without its network: files on a disk, requests that are served in turn. A state machine over time: who
// drives it (hw/machine/servers.hpp) tells it of requests and asks when something ends.
#pragma once
#include "hw/core/disk.hpp"
#include "hw/machine/storage_params.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hypermon {

/// What a server and its disk have done.
struct StorageCounts {
  std::uint64_t requests = 0;
  std::uint64_t written_bytes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t operations = 0; ///< of the disk
  Time disk_busy;
  std::uint64_t longest_queue = 0; ///< requests that were at the server at once
};

/// Where files lie on a disk: in extents of one size, taken one after the other as files grow into them.
class FileLayout {
public:
  explicit FileLayout(std::int64_t extent_bytes) : extent_(extent_bytes) {}
  struct Piece {
    std::int64_t address;
    std::int64_t bytes;
  };
  std::int64_t size(const std::string& file) const;
  /// Makes the file longer; where the new bytes lie.
  std::vector<Piece> append(const std::string& file, std::int64_t bytes);
  /// Where bytes of the file lie; they must be in it.
  std::vector<Piece> find(const std::string& file, std::int64_t from, std::int64_t bytes) const;
  /// What all files take, in whole extents, if this one grows by so many bytes.
  std::int64_t taken_with(const std::string& file, std::int64_t bytes) const;

private:
  struct File {
    std::int64_t size = 0;
    std::vector<std::int64_t> extents; // their addresses
  };
  std::int64_t extent_;
  std::int64_t taken_ = 0;
  std::map<std::string, File> files_;
};

/// What the disk shall do, and in whose name.
struct DiskOperation {
  std::uint64_t request = 0;
  std::int64_t address = 0;
  std::int64_t bytes = 0;
};

/// Which of the waiting operations the disk does next.
class DiskScheduler {
public:
  virtual ~DiskScheduler() = default;
  virtual void add(const DiskOperation& operation) = 0;
  virtual bool empty() const = 0;
  /// Takes one out; `head` is where the disk's last one ended.
  virtual DiskOperation next(std::int64_t head) = 0;
};
/// The one that came first.
std::unique_ptr<DiskScheduler> fifo_scheduler();

DiskGeometry geometry(const DiskParams& disk);

class StorageServer {
public:
  StorageServer(const ServerParams& server, const DiskParams& disk,
                std::unique_ptr<DiskScheduler> scheduler = fifo_scheduler());

  /// A request is at the server at `now`, which does not go back: to append, or to read on from `from`. Returns its
  /// number. There must be room for what is written.
  std::uint64_t write(Time now, const std::string& file, std::int64_t bytes);
  std::uint64_t read(Time now, const std::string& file, std::int64_t from, std::int64_t bytes);
  bool has_room(const std::string& file, std::int64_t bytes) const;
  /// How many bytes a read of so many gets: what is in the file.
  std::int64_t readable(const std::string& file, std::int64_t from, std::int64_t bytes) const;
  /// When next something changes within; never if nothing is under way.
  Time next() const;
  struct Done {
    std::uint64_t request;
    Time end;
  };
  /// What is done by `now`, in the order of its ends.
  std::vector<Done> advance(Time now);

  const StorageCounts& counts() const { return counts_; }

private:
  struct Accepted {
    Time when; // the server has looked at it
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
  std::map<std::uint64_t, std::size_t> left_; // operations, by request
  bool working_ = false;
  DiskOperation current_;
  Time current_end_;
  std::int64_t head_ = -1;
  StorageCounts counts_;
};

} // namespace hypermon
