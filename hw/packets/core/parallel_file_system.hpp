// SPDX-License-Identifier: BSD-3-Clause
// A parallel file system, as its client library is called: regions of files by number. No contents: who calls keeps
// those (sw/mpiio); here is what takes time.
#pragma once
#include "base/time.hpp"
#include "hw/machine/operation.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hypermon {

/// Bytes [offset, offset + bytes) of a file.
struct FileRegion {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  auto operator<=>(const FileRegion&) const = default;
};

enum class FileId : std::uint32_t {};

/// What a client asks of the file system in one call of its library.
struct FileRequest {
  /// flush: what was written until now is on the servers' disks when it is done.
  enum class Kind : std::uint8_t { read, write, flush };
  Kind kind = Kind::write;
  std::uint32_t node = 0; ///< of the client
  std::uint32_t rank = 0; ///< that calls, among those of its node
  FileId file{};
  std::vector<FileRegion> regions; ///< in the order of the data; not empty (of a flush: empty), none of 0 bytes
  /// The library gets the memory's and the file's datatypes and sends them in one request, however many regions they
  /// have: no limit of regions a request then.
  bool datatype = false;
  OperationId cause; ///< the MPI call
};

/// What became of it.
struct FileAnswer {
  enum class Error : std::uint8_t { none, no_space };
  Error error = Error::none;
  std::int64_t bytes = 0; ///< read or written: the first ones of the regions
};

class ParallelFileSystem {
public:
  virtual ~ParallelFileSystem() = default;
  /// The number of the file of that name; it need not exist. Takes no time.
  virtual FileId file(const std::string& name) = 0;
  /// From anywhere; `done` is called in maestro at the simulated instant at which the client's call returns.
  virtual void submit(FileRequest request, std::function<void(FileAnswer)> done) = 0;
  /// Bytes that the file has; it is made longer (without a time) or shorter. What lies beyond is not read.
  virtual std::int64_t size(FileId file) const = 0;
  virtual void resize(FileId file, std::int64_t bytes) = 0;
  virtual void remove(FileId file) = 0;
  /// Regions that fit into one request unless it goes as a datatype: who has more cuts them.
  virtual std::int64_t regions_per_request() const = 0;
  /// What a server keeps together: aggregators' shares are cut there.
  virtual std::int64_t stripe_bytes() const = 0;
};

} // namespace hypermon
