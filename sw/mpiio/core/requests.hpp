// SPDX-License-Identifier: BSD-3-Clause
// An access of one process, cut into requests of the file system's client.
#pragma once
#include "sw/mpiio/core/access.hpp"

#include <cstddef>

namespace hypermon::mpiio {

/// How what is not contiguous is accessed.
enum class Strategy : std::uint8_t { contiguous, pieces, lists, datatype, sieving };

/// One request. Sieving: `regions` is one that holds the data and perhaps more.
struct Request {
  std::vector<Run> regions;
  DataRange data;
};

/// The requests of an access, one after the other: none is made before it is asked for.
class Requests {
public:
  struct Limits {
    std::int64_t regions = 64;           ///< in the file, and pieces in memory: lists
    std::int64_t buffer_bytes = 4194304; ///< sieving
  };
  Requests(Access access, Strategy strategy, Limits limits);

  std::optional<Request> next();
  Strategy strategy() const { return strategy_; }

private:
  Request next_list(std::int64_t most);
  Request next_sieved();

  static constexpr std::int64_t most_of_datatype = 1 << 20; // (chosen) so that they have room; then another request

  Access access_;
  Strategy strategy_;
  Limits limits_;
  std::int64_t done_ = 0;
};

} // namespace hypermon::mpiio
