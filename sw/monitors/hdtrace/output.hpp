// SPDX-License-Identifier: BSD-3-Clause
// The project's files in the run's folder: what has come to the simulated disks, in the order in which it did.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace hypermon::hdtrace {

/// One file. Until it is closed it has another name; its header comes last, when clocks can be put right.
class Output {
public:
  Output(const std::filesystem::path& folder, const std::string& name);
  void add(std::string_view text);
  /// Writes header, what was added, and `end`; the file has its name then.
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

/// Text into a file of its own, whole or not at all.
void write_whole(const std::filesystem::path& path, const std::string& text);

} // namespace hypermon::hdtrace
