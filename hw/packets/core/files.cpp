// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/files.hpp"
#include "hw/packets/core/rate.hpp"

#include <algorithm>
#include <cmath>

namespace hypermon::piosim {

Files::Files(const PfsParams& params, const PfsDiskParams& disk)
    : params_(params), capacity_(std::llround(disk.capacity_mib * static_cast<double>(mib))),
      taken_(static_cast<std::size_t>(params.servers), 0) {}

FileId Files::number(const std::string& name) {
  const FileId next{static_cast<std::uint32_t>(files_.size())};
  const auto [found, is_new] = numbers_.try_emplace(name, next);
  if (is_new) files_.push_back({0, 0, pattern_of(params_, next)});
  return found->second;
}

void Files::set_room(File& file, std::int64_t bytes) {
  for (std::uint32_t s = 0; s < taken_.size(); ++s)
    taken_[s] += file.pattern.below(bytes, s) - file.pattern.below(file.room, s);
  file.room = bytes;
}

bool Files::fits(const File& file, std::int64_t bytes) const {
  for (std::uint32_t s = 0; s < taken_.size(); ++s)
    if (taken_[s] + file.pattern.below(bytes, s) - file.pattern.below(file.room, s) > capacity_) return false;
  return true;
}

void Files::resize(FileId number, std::int64_t bytes) {
  File& file = at(number);
  file.size = bytes;
  set_room(file, bytes);
}

void Files::written(FileId number, std::int64_t end) {
  File& file = at(number);
  file.size = std::max(file.size, end);
}

void Files::take_room(FileId number, std::vector<FileRegion>& regions) {
  File& file = at(number);
  for (auto region = regions.begin(); region != regions.end(); ++region) {
    const std::int64_t end = region->offset + region->bytes;
    if (end <= file.room) continue;
    if (fits(file, end)) {
      set_room(file, end);
      continue;
    }
    // Binary search for the largest size that fits: a larger size never needs less space.
    std::int64_t fitting = file.room;
    for (std::int64_t too_far = end; fitting + 1 < too_far;) {
      const std::int64_t middle = fitting + (too_far - fitting) / 2;
      (fits(file, middle) ? fitting : too_far) = middle;
    }
    set_room(file, fitting);
    if (fitting <= region->offset) {
      regions.erase(region, regions.end());
    } else {
      region->bytes = fitting - region->offset;
      regions.erase(region + 1, regions.end());
    }
    return;
  }
}

void Files::crop(FileId number, std::vector<FileRegion>& regions) const {
  const std::int64_t size = at(number).size;
  for (FileRegion& region : regions) region.bytes = std::clamp<std::int64_t>(size - region.offset, 0, region.bytes);
  std::erase_if(regions, [](const FileRegion& region) { return region.bytes == 0; });
}

} // namespace hypermon::piosim
