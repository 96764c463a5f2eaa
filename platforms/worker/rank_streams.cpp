// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/rank_streams.hpp"
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/ranks.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace hypermon {
namespace {

std::optional<std::size_t> number_of(const std::FILE* stream) {
  if (stream == stdin) return 0;
  if (stream == stdout) return 1;
  if (stream == stderr) return 2;
  return std::nullopt;
}

int close_file(std::FILE* file) {
  static auto* const next = real<int(std::FILE*)>("fclose");
  return next(file);
}

} // namespace

RankStreams& rank_streams() {
  static RankStreams all;
  return all;
}

std::FILE** RankStreams::place(std::FILE* stream) {
  const auto number = number_of(stream);
  const auto rank = number ? ranks().current() : std::nullopt;
  if (!rank) return nullptr;
  if (files_.size() <= static_cast<std::size_t>(*rank)) files_.resize(static_cast<std::size_t>(*rank) + 1);
  return &files_[static_cast<std::size_t>(*rank)][*number];
}

bool RankStreams::open_input(const char* path) {
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return false;
  files_.resize(1);
  files_[0][0] = file;
  return any_ = true;
}

std::FILE* RankStreams::replacement(std::FILE* stream) {
  if (!any_) return stream;
  std::FILE* const* const there = place(stream);
  return there == nullptr || *there == nullptr ? stream : *there;
}

int RankStreams::replacement(int descriptor) {
  if (!any_ || descriptor < 0 || descriptor > 2) return descriptor;
  std::FILE* const standard[] = {stdin, stdout, stderr};
  std::FILE* const there = replacement(standard[descriptor]);
  return there == standard[descriptor] ? descriptor : fileno(there);
}

std::FILE* RankStreams::reopen(const char* path, const char* mode, std::FILE* stream) {
  std::FILE** const there = place(stream);
  if (path == nullptr) return stream; // only the mode would change, and the replacement accepts every mode
  std::FILE* const file = std::fopen(path, mode);
  if (*there != nullptr) close_file(*there);
  *there = file;
  any_ = true;
  return file == nullptr ? nullptr : stream;
}

int RankStreams::close(std::FILE* stream) {
  std::FILE** const there = place(stream);
  if (*there == nullptr) return 0;
  return close_file(std::exchange(*there, nullptr));
}

namespace {
bool is_ranks(std::FILE* stream) { return number_of(stream) && ranks().current(); }
} // namespace

LIBC(std::FILE*, freopen, const char* path, const char* mode, std::FILE* stream) {
  if (is_ranks(stream)) return rank_streams().reopen(path, mode, stream);
  static auto* const next = real<std::FILE*(const char*, const char*, std::FILE*)>("freopen");
  return next(path, mode, stream);
}
LIBC(std::FILE*, freopen64, const char* path, const char* mode, std::FILE* stream) {
  return own_freopen(path, mode, stream);
}
LIBC(int, fclose, std::FILE* stream) { return is_ranks(stream) ? rank_streams().close(stream) : close_file(stream); }

} // namespace hypermon
