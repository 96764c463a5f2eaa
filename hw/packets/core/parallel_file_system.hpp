// SPDX-License-Identifier: BSD-3-Clause
// A parallel file system, as its client library is called: regions of numbered files. It models time; the caller keeps
// the contents (sw/mpiio).
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

/// One call of a client's library.
struct FileRequest {
  /// flush: completes when everything written so far is on the servers' disks.
  enum class Kind : std::uint8_t { read, write, flush };
  Kind kind = Kind::write;
  std::uint32_t node = 0; ///< node of the client
  std::uint32_t rank = 0; ///< calling rank, among those of its node
  FileId file{};
  std::vector<FileRegion> regions; ///< in the order of the data, each with at least 1 byte; empty only for a flush
  /// The library receives the datatypes of memory and file and sends them in one request, whatever the number of
  /// regions. The limit of regions per request does not apply.
  bool datatype = false;
  OperationId cause; ///< the MPI call that caused the request
};

/// Result of a request.
struct FileAnswer {
  enum class Error : std::uint8_t { none, no_space };
  Error error = Error::none;
  std::int64_t bytes = 0; ///< number of bytes read or written, from the first region on
};

class ParallelFileSystem {
public:
  virtual ~ParallelFileSystem() = default;
  /// The number of the file of that name, which need not exist. Takes no time.
  virtual FileId file(const std::string& name) = 0;
  /// May be called from anywhere. `done` is called in maestro at the simulated instant at which the client's call
  /// returns.
  virtual void submit(FileRequest request, std::function<void(FileAnswer)> done) = 0;
  /// Size of the file. resize() extends it (without taking time) or shortens it. Reads end at the file's size.
  virtual std::int64_t size(FileId file) const = 0;
  virtual void resize(FileId file, std::int64_t bytes) = 0;
  virtual void remove(FileId file) = 0;
  /// Largest number of regions in one request without datatype. The caller must divide longer lists.
  virtual std::int64_t regions_per_request() const = 0;
  /// Unit that a server keeps together. Aggregators' shares are divided at its multiples.
  virtual std::int64_t stripe_bytes() const = 0;
};

} // namespace hypermon
