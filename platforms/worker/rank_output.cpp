// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/rank_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace hypermon {
namespace {

constexpr std::size_t buffer_bytes = 1 << 14; // (chosen) for 4096 ranks: 64 MB
constexpr std::size_t kept_bytes = 8000;      // (chosen) for last_lines(): a stack trace may follow the important lines
constexpr int shown_lines = 5;                // (chosen)
constexpr std::size_t shown_reasons = 3;      // (chosen) earlier lines that explain why the process ended

/// Beginnings of messages with which run-time libraries end a process; a stack trace of any length may follow.
constexpr std::array reasons{
    "At line ", "Fortran runtime error:", "Error termination", "terminate called", "  what():",  "panicked at",
    "panic:",   "fatal error:",           "ERROR: AddressSan", "runtime error:",   "Assertion `"};

/// The last lines of `text` that explain why the process ended, each with a line end.
std::string reason(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const auto says = [&](const char* beginning) { return line.find(beginning) != std::string_view::npos; };
    if (std::any_of(reasons.begin(), reasons.end(), says)) found.push_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  std::string lines;
  for (std::size_t i = found.size() > shown_reasons ? found.size() - shown_reasons : 0; i < found.size(); ++i)
    lines += std::string(found[i]) + '\n';
  return lines;
}

} // namespace

RankOutput& rank_output() {
  static RankOutput output;
  return output;
}

void RankOutput::write(int rank, Stream stream, std::string_view text) {
  const auto r = static_cast<std::size_t>(rank);
  if (buffers_.size() <= r) buffers_.resize(r + 1);
  Buffer& buffer = buffers_[r][stream];
  buffer.waiting += text;
  if (at_once_ || buffer.waiting.size() >= buffer_bytes) flush(rank, stream);
}

void RankOutput::flush(int rank, Stream stream) {
  Buffer& buffer = buffers_[static_cast<std::size_t>(rank)][stream];
  if (buffer.waiting.empty()) return;
  const int file = descriptor(rank, stream);
  std::string_view left = buffer.waiting;
  while (file >= 0 && !left.empty()) { // not write(2), which stdio.cpp replaces for the program
    const auto n = syscall(SYS_write, file, left.data(), left.size());
    if (n <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(n));
  }
  if (!left.empty() && unwritten_.empty())
    unwritten_ = path(rank, stream) + ": cannot be written: " + std::strerror(errno);
  if (file >= 0) ::close(file);
  buffer.last += buffer.waiting;
  buffer.waiting.clear();
  if (buffer.last.size() > kept_bytes) buffer.last.erase(0, buffer.last.size() - kept_bytes);
}

std::string RankOutput::path(int rank, Stream stream) const {
  return directory_ + (stream == out ? "/stdout" : "/stderr") + "/rank" + std::to_string(rank) + ".txt";
}

int RankOutput::descriptor(int rank, Stream stream) {
  const std::string file = path(rank, stream);
  mkdir(file.substr(0, file.rfind('/')).c_str(), 0777);
  return ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

void RankOutput::require_written() const {
  if (!unwritten_.empty()) throw std::runtime_error(unwritten_);
}

void RankOutput::flush(int rank) {
  if (static_cast<std::size_t>(rank) < buffers_.size())
    for (const Stream stream : {out, error}) flush(rank, stream);
}

void RankOutput::flush() {
  for (std::size_t rank = 0; rank < buffers_.size(); ++rank) flush(static_cast<int>(rank));
}

std::string RankOutput::last(int rank, Stream stream) const {
  const auto r = static_cast<std::size_t>(rank);
  return r < buffers_.size() ? buffers_[r][stream].last + buffers_[r][stream].waiting : std::string();
}

std::string RankOutput::last_lines(int rank) const {
  for (const Stream stream : {error, out}) {
    std::string text = last(rank, stream);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (text.empty()) continue;
    std::size_t begin = text.size();
    for (int line = 0; line < shown_lines && begin != std::string::npos && begin > 0; ++line)
      begin = text.rfind('\n', begin - 1);
    const std::string last = begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
    const std::string why = reason(std::string_view(text).substr(0, text.size() - last.size()));
    text = why + last;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 5) text.replace(at, 1, "\n    ");
    return std::string("\n  its last lines on standard ") + (stream == error ? "error" : "output") + ":\n    " + text;
  }
  return {};
}

} // namespace hypermon
