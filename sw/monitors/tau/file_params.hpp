// SPDX-License-Identifier: BSD-3-Clause
// Parameters of profiles that leave by files, and of who reads these.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"
#include "hw/machine/site.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// How a consumer finds out which files are new.
enum class FileConsumer : std::uint8_t {
  off,
  lists, ///< it opens the directory and looks at all that is in it
  stats, ///< it asks for each file's attributes
};
constexpr auto words_of(FileConsumer) { return words("off", "lists", "stats"); }

struct TauFilesParams {
  std::string folder = "profiles";
  FileConsumer consumer = FileConsumer::lists;
  Place::Kind place = Place::Kind::host;
  std::int64_t number = 0;
  Milliseconds period_ms = 1000;
  Microseconds profile_us = 100;
  Milliseconds fixed_dump_ms = 0;
};

} // namespace hypermon
