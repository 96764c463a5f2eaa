// SPDX-License-Identifier: BSD-3-Clause
// The project's files in the run's folder: data in the order in which they reached the simulated disks.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace hypermon::hdtrace {

/// One file. It has a temporary name until it is closed. Its header is written last, when the correction of the clocks
/// is known.
class Output {
public:
  Output(const std::filesystem::path& folder, const std::string& name);
  void add(std::string_view text);
  /// Writes the header, the added data and `end`, and gives the file its final name.
  void close(const std::string& header, std::string_view end);
  std::uint64_t bytes() const { return bytes_; }

private:
  void spill();

  std::filesystem::path path_;
  std::filesystem::path part_;
  std::string waiting_;
  std::uint64_t bytes_ = 0;
  bool spilled_ = false;
};

/// Writes a file with that text completely or not at all.
void write_whole(const std::filesystem::path& path, const std::string& text);

} // namespace hypermon::hdtrace
