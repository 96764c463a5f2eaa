// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/distribution.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>
#include <utility>

namespace hypermon::piosim {

StripPattern::StripPattern(std::vector<Strip> strips, std::uint32_t servers)
    : of_server_(servers), in_round_(servers, 0) {
  for (const Strip& strip : strips) {
    std::int64_t& before = in_round_[strip.server];
    of_server_[strip.server].push_back({round_, strip.bytes, before});
    before += strip.bytes;
    round_ += strip.bytes;
  }
}

std::int64_t StripPattern::below(std::int64_t bytes, std::uint32_t server) const {
  std::int64_t sum = bytes / round_ * in_round_[server];
  const std::int64_t rest = bytes % round_;
  for (const Own& own : of_server_[server]) {
    if (rest <= own.begin) break;
    sum += std::min(rest - own.begin, own.bytes);
  }
  return sum;
}

std::vector<StripPattern::Share> StripPattern::shares(const std::vector<FileRegion>& regions) const {
  std::vector<Share> found;
  for (std::uint32_t s = 0; s < servers(); ++s) {
    if (of_server_[s].empty()) continue;
    Share share;
    share.server = s;
    for (const FileRegion& region : regions) {
      const std::int64_t begin = below(region.offset, s);
      const std::int64_t bytes = below(region.offset + region.bytes, s) - begin;
      if (bytes == 0) continue;
      share.bytes += bytes;
      if (!share.regions.empty() && share.regions.back().offset + share.regions.back().bytes == begin)
        share.regions.back().bytes += bytes;
      else
        share.regions.push_back({begin, bytes});
    }
    if (share.bytes > 0) found.push_back(std::move(share));
  }
  return found;
}

StripPattern pattern_of(const PfsParams& params, FileId file) {
  const auto servers = static_cast<std::uint32_t>(params.servers);
  std::vector<StripPattern::Strip> strips;
  switch (params.distribution) {
  case Distribution::simple_stripe:
    for (std::uint32_t s = 0; s < servers; ++s) strips.push_back({s, params.stripe_bytes.number});
    break;
  case Distribution::varying_stripe:
    strips = strips_of(params);
    break;
  case Distribution::basic:
    strips.push_back({static_cast<std::uint32_t>(file) % servers, params.stripe_bytes.number});
  }
  return {std::move(strips), servers};
}

std::vector<StripPattern::Strip> strips_of(const PfsParams& params) {
  const auto refuse = [&] {
    throw UserError("pfs.strips = \"" + params.strips +
                    "\": must be SERVER:BYTES words, like 0:65536 1:131072, of servers from 0 to " +
                    std::to_string(params.servers - 1) + " and from 1 to 1073741824 bytes");
  };
  std::vector<StripPattern::Strip> strips;
  std::istringstream words(params.strips);
  for (std::string word; words >> word;) {
    StripPattern::Strip strip;
    const char* const end = word.data() + word.size();
    const auto server = std::from_chars(word.data(), end, strip.server);
    if (server.ec != std::errc() || server.ptr == end || *server.ptr != ':') refuse();
    const auto bytes = std::from_chars(server.ptr + 1, end, strip.bytes);
    if (bytes.ec != std::errc() || bytes.ptr != end) refuse();
    if (strip.server >= params.servers || strip.bytes < 1 || strip.bytes > (1 << 30)) refuse();
    strips.push_back(strip);
  }
  if (strips.empty()) refuse();
  return strips;
}

} // namespace hypermon::piosim
