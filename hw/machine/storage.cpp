// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/storage.hpp"

#include <algorithm>
#include <utility>

namespace hypermon {
namespace {

class FifoScheduler : public DiskScheduler {
public:
  void add(const DiskOperation& operation) override { waiting_.push_back(operation); }
  bool empty() const override { return waiting_.empty(); }
  DiskOperation next(std::int64_t) override {
    const DiskOperation first = waiting_.front();
    waiting_.pop_front();
    return first;
  }

private:
  std::deque<DiskOperation> waiting_;
};

} // namespace

std::unique_ptr<DiskScheduler> fifo_scheduler() { return std::make_unique<FifoScheduler>(); }

DiskGeometry geometry(const DiskParams& disk) {
  DiskGeometry g;
  g.mb_per_s = disk.mb_per_s;
  g.rotation = disk.rotation;
  g.turn = Milliseconds{60e3 / disk.turns_per_min};
  g.near = disk.near_mb;
  g.track_to_track = disk.track_to_track_ms;
  g.average_seek = disk.seek_ms;
  g.full_seek = disk.full_seek_ms;
  g.capacity = disk.capacity_mb;
  return g;
}

// Files
// ----------------------------------------------------------------------------------------------------------------

std::int64_t FileLayout::size(const std::string& file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? 0 : found->second.size;
}

std::int64_t FileLayout::taken_with(const std::string& file, std::int64_t bytes) const {
  const auto extents = [this](std::int64_t size) { return (size + extent_ - 1) / extent_; };
  return taken_ + (extents(size(file) + bytes) - extents(size(file))) * extent_;
}

std::vector<FileLayout::Piece> FileLayout::append(const std::string& file, std::int64_t bytes) {
  File& own = files_[file];
  const std::int64_t from = own.size;
  own.size += bytes;
  for (; static_cast<std::int64_t>(own.extents.size()) * extent_ < own.size; taken_ += extent_)
    own.extents.push_back(taken_);
  return find(file, from, bytes);
}

std::vector<FileLayout::Piece> FileLayout::find(const std::string& file, std::int64_t from, std::int64_t bytes) const {
  std::vector<Piece> pieces;
  for (const File& own = files_.at(file); bytes > 0;) {
    const std::int64_t within = from % extent_;
    const std::int64_t part = std::min(bytes, extent_ - within);
    const std::int64_t address = own.extents.at(static_cast<std::size_t>(from / extent_)) + within;
    if (!pieces.empty() && pieces.back().address + pieces.back().bytes == address)
      pieces.back().bytes += part;
    else
      pieces.push_back({address, part});
    from += part;
    bytes -= part;
  }
  return pieces;
}

// The server
// -----------------------------------------------------------------------------------------------------------

StorageServer::StorageServer(const ServerParams& server, const DiskParams& disk,
                             std::unique_ptr<DiskScheduler> scheduler)
    : request_time_(server.request_us), capacity_(Bytes{disk.capacity_mb}.number),
      files_(Bytes{server.extent_mb}.number), scheduler_(std::move(scheduler)), disk_(geometry(disk)) {}

bool StorageServer::has_room(const std::string& file, std::int64_t bytes) const {
  return files_.taken_with(file, bytes) <= capacity_;
}

std::int64_t StorageServer::readable(const std::string& file, std::int64_t from, std::int64_t bytes) const {
  return std::clamp<std::int64_t>(files_.size(file) - from, 0, bytes);
}

std::uint64_t StorageServer::write(Time now, const std::string& file, std::int64_t bytes) {
  counts_.written_bytes += static_cast<std::uint64_t>(bytes);
  return accept(now, files_.append(file, bytes));
}

std::uint64_t StorageServer::read(Time now, const std::string& file, std::int64_t from, std::int64_t bytes) {
  const std::int64_t there = readable(file, from, bytes);
  counts_.read_bytes += static_cast<std::uint64_t>(there);
  return accept(now, there > 0 ? files_.find(file, from, there) : std::vector<FileLayout::Piece>());
}

std::uint64_t StorageServer::accept(Time now, std::vector<FileLayout::Piece> pieces) {
  const std::uint64_t request = counts_.requests++;
  looked_until_ = std::max(now, looked_until_) + request_time_;
  accepted_.push_back({looked_until_, request, std::move(pieces)});
  counts_.longest_queue = std::max<std::uint64_t>(counts_.longest_queue, accepted_.size() + left_.size());
  return request;
}

Time StorageServer::next() const {
  return std::min(working_ ? current_end_ : Time::never(), accepted_.empty() ? Time::never() : accepted_.front().when);
}

std::vector<StorageServer::Done> StorageServer::advance(Time now) {
  std::vector<Done> done;
  for (Time date = next(); date <= now && date != Time::never(); date = next()) {
    if (working_ && current_end_ == date) {
      working_ = false;
      if (--left_.at(current_.request) == 0) {
        left_.erase(current_.request);
        done.push_back({current_.request, date});
      }
    }
    for (; !accepted_.empty() && accepted_.front().when == date; accepted_.pop_front()) {
      const Accepted& request = accepted_.front();
      if (request.pieces.empty()) done.push_back({request.request, date});
      for (const FileLayout::Piece& piece : request.pieces) {
        ++left_[request.request];
        scheduler_->add({request.request, piece.address, piece.bytes});
      }
    }
    if (!working_ && !scheduler_->empty()) start(date);
  }
  return done;
}

void StorageServer::start(Time now) {
  current_ = scheduler_->next(head_);
  current_end_ = disk_.access(now, current_.address, current_.bytes);
  head_ = current_.address + current_.bytes;
  working_ = true;
  ++counts_.operations;
  counts_.disk_busy += current_end_ - now;
}

} // namespace hypermon
