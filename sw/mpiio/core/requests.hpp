// SPDX-License-Identifier: BSD-3-Clause
// An access of one process, divided into requests of the file system's client.
#pragma once
#include "sw/mpiio/core/access.hpp"

#include <cstddef>

namespace hypermon::mpiio {

/// Method of an access; all but the first are for non-contiguous data.
enum class Strategy : std::uint8_t { contiguous, pieces, lists, datatype, sieving };

/// One request. With data sieving, `regions` is one region that contains the data and perhaps more.
struct Request {
  std::vector<Run> regions;
  DataRange data;
};

/// The requests of an access in sequence. Each one is only computed when it is fetched.
class Requests {
public:
  struct Limits {
    std::int64_t regions = 64; ///< largest number of regions of a list in the file, and also of pieces in memory
    std::int64_t buffer_bytes = 4194304; ///< buffer of data sieving
  };
  Requests(Access access, Strategy strategy, Limits limits);

  std::optional<Request> next();
  Strategy strategy() const { return strategy_; }

private:
  Request next_list(std::int64_t most);
  Request next_sieved();

  static constexpr std::int64_t most_of_datatype = 1 << 20; // (chosen) bounds memory; more regions need another request

  Access access_;
  Strategy strategy_;
  Limits limits_;
  std::int64_t done_ = 0;
};

} // namespace hypermon::mpiio
