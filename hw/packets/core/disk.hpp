// SPDX-License-Identifier: BSD-3-Clause
// A server's disk: performs one operation at a time, and chooses the next one.
#pragma once
#include "hw/packets/core/events.hpp"
#include "hw/packets/core/parallel_file_system.hpp"
#include "hw/packets/core/params.hpp"
#include "hw/packets/core/rate.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace hypermon::piosim {

/// An operation of the disk. The owner assigns its number.
struct DiskOperation {
  enum class Kind : std::uint8_t { read, write, flush };
  Kind kind = Kind::write;
  FileId file{};
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::uint32_t number = 0;
  std::int64_t end() const { return offset + bytes; }
};

/// End of the last operation that transferred data.
struct DiskHead {
  std::optional<FileId> file{};
  std::int64_t offset = 0;
};

/// Chooses the next of the waiting operations.
class DiskQueue {
public:
  virtual ~DiskQueue() = default;
  virtual void add(Time now, const DiskOperation& operation, const DiskHead& head) = 0;
  virtual bool empty() const = 0;
  virtual DiskOperation take(Time now, const DiskHead& head) = 0;
};
std::unique_ptr<DiskQueue> make_disk_queue(const PfsDiskParams& params);

/// Arm movement of an operation. not_modelled: the disk model has no arm.
enum class Seek : std::uint8_t { none, track_to_track, average, not_modelled };

struct DiskCounts {
  std::uint64_t operations = 0;
  std::uint64_t average_seeks = 0;
  std::uint64_t short_seeks = 0;
  std::int64_t read_bytes = 0;
  std::int64_t written_bytes = 0;
  Time busy;
};

/// Receives the begin and the end of each operation.
class DiskUser {
public:
  virtual void disk_begins(const DiskOperation& operation, Seek seek) = 0;
  virtual void disk_done(const DiskOperation& operation) = 0;

protected:
  ~DiskUser() = default;
};

class ServerDisk : Handler {
public:
  ServerDisk(const PfsDiskParams& params, Events& events, DiskUser& user);
  void add(const DiskOperation& operation);
  const DiskCounts& counts() const { return counts_; }
  /// Duration of the operation from that position.
  Time duration(const DiskOperation& operation, const DiskHead& head) const;

private:
  void handle(std::uint32_t what, std::uint32_t which) override;
  void start();
  Seek seek(const DiskOperation& operation, const DiskHead& head) const;

  PfsDiskParams params_;
  Rate rate_;
  std::int64_t close_;
  Events& events_;
  DiskUser& user_;
  std::unique_ptr<DiskQueue> queue_;
  std::optional<DiskOperation> current_;
  DiskHead head_;
  DiskCounts counts_;
};

} // namespace hypermon::piosim
