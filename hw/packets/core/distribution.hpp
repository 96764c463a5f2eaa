// SPDX-License-Identifier: BSD-3-Clause
// Distribution of a file's bytes over servers, and their offsets in each server's part of the file.
#pragma once
#include "hw/packets/core/parallel_file_system.hpp"
#include "hw/packets/core/params.hpp"

#include <cstdint>
#include <vector>

namespace hypermon::piosim {

/// Distributes a file's bytes in rounds over strips: a number of bytes to one server, then a number to the next.
class StripPattern {
public:
  struct Strip {
    std::uint32_t server = 0;
    std::int64_t bytes = 0;
  };
  StripPattern(std::vector<Strip> strips, std::uint32_t servers);

  /// A server's part of a list of file regions, in their order: each region gives one region to each server that has
  /// some of it; adjacent ones are merged.
  struct Share {
    std::uint32_t server = 0;
    std::int64_t bytes = 0;
    std::vector<FileRegion> regions{}; ///< regions in the server's part of the file
  };
  /// Shares in the order of servers, without empty ones.
  std::vector<Share> shares(const std::vector<FileRegion>& regions) const;
  /// Number of the server's bytes among the first `bytes` of the file.
  std::int64_t below(std::int64_t bytes, std::uint32_t server) const;
  std::uint32_t servers() const { return static_cast<std::uint32_t>(of_server_.size()); }

private:
  struct Own {
    std::int64_t begin; // offset in the round
    std::int64_t bytes;
    std::int64_t before; // bytes of the same server earlier in the round
  };
  std::int64_t round_ = 0;
  std::vector<std::vector<Own>> of_server_;
  std::vector<std::int64_t> in_round_; // bytes of each server in a round
};

/// The pattern of the file.
StripPattern pattern_of(const PfsParams& params, FileId file);
/// Parses pfs.strips. Throws UserError.
std::vector<StripPattern::Strip> strips_of(const PfsParams& params);

} // namespace hypermon::piosim
