// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/output.hpp"
#include "base/user_error.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace hypermon::hdtrace {
namespace {

constexpr std::size_t chunk = 1 << 20;

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw UserError(path.string() + ": cannot be written: " + std::strerror(errno));
}

} // namespace

Output::Output(const std::filesystem::path& folder, const std::string& name)
    : path_(folder / name), part_(folder / ("." + name + ".part")) {}

void Output::add(std::string_view text) {
  waiting_ += text;
  bytes_ += text.size();
  if (waiting_.size() >= chunk) spill();
}

void Output::spill() {
  // The file is not kept open, because there may be thousands.
  std::ofstream file(part_, spilled_ ? std::ios::binary | std::ios::app : std::ios::binary | std::ios::trunc);
  file << waiting_;
  if (!file.flush()) refuse(part_);
  waiting_.clear();
  spilled_ = true;
}

void Output::close(const std::string& header, std::string_view end) {
  const std::filesystem::path whole = part_.string() + "ial";
  {
    std::ofstream file(whole, std::ios::binary | std::ios::trunc);
    file << header;
    if (spilled_) {
      std::ifstream part(part_, std::ios::binary);
      file << part.rdbuf();
    }
    file << waiting_ << end;
    if (!file.flush()) refuse(path_);
  }
  std::filesystem::rename(whole, path_);
  if (spilled_) std::filesystem::remove(part_);
}

void write_whole(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path part = path.parent_path() / ("." + path.filename().string() + ".part");
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush()) refuse(path);
  }
  std::filesystem::rename(part, path);
}

} // namespace hypermon::hdtrace
