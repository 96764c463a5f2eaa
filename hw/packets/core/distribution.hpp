// SPDX-License-Identifier: BSD-3-Clause
// Which server has which bytes of a file, and where in its own part of the file.
#pragma once
#include "hw/packets/core/parallel_file_system.hpp"
#include "hw/packets/core/params.hpp"

#include <cstdint>
#include <vector>

namespace hypermon::piosim {

/// A file's bytes go round over strips: so many to this server, then so many to that one.
class StripPattern {
public:
  struct Strip {
    std::uint32_t server = 0;
    std::int64_t bytes = 0;
  };
  StripPattern(std::vector<Strip> strips, std::uint32_t servers);

  /// A server's regions of logical ones, in their order: a logical one is one region of each server that has some of
  /// it; neighbouring ones become one.
  struct Share {
    std::uint32_t server = 0;
    std::int64_t bytes = 0;
    std::vector<FileRegion> regions{}; ///< in the server's part of the file
  };
  /// In the order of servers, those without bytes left out.
  std::vector<Share> shares(const std::vector<FileRegion>& regions) const;
  /// Bytes of the server among the file's first ones.
  std::int64_t below(std::int64_t bytes, std::uint32_t server) const;
  std::uint32_t servers() const { return static_cast<std::uint32_t>(of_server_.size()); }

private:
  struct Own {
    std::int64_t begin; // in the round
    std::int64_t bytes;
    std::int64_t before; // of the server in the round
  };
  std::int64_t round_ = 0;
  std::vector<std::vector<Own>> of_server_;
  std::vector<std::int64_t> in_round_; // bytes of each server
};

/// That of the file.
StripPattern pattern_of(const PfsParams& params, FileId file);
/// As pfs.strips has them. Throws UserError.
std::vector<StripPattern::Strip> strips_of(const PfsParams& params);

} // namespace hypermon::piosim
