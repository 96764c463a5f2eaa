// SPDX-License-Identifier: BSD-3-Clause
#include "base/vcd_writer.hpp"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace hypermon {

namespace {

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t dot; (dot = path.find('.')) != std::string_view::npos; path.remove_prefix(dot + 1))
    parts.push_back(path.substr(0, dot));
  parts.push_back(path);
  return parts;
}

/// Encodes a number in the printable characters.
std::string code_of(std::size_t number) {
  std::string code;
  do {
    code += static_cast<char>('!' + number % 94);
    number /= 94;
  } while (number-- > 0);
  return code;
}

} // namespace

VcdWriter::VcdWriter(const std::string& path, std::span<const Signal> signals, const std::vector<bool>& wanted)
    : path_(path), file_(std::fopen(path.c_str(), "wb")), codes_(signals.size()), transitions_(signals.size()) {
  if (!file_) throw std::runtime_error(path_ + ": cannot be written: " + std::strerror(errno));
  buffer_.reserve(capacity);
  header(signals, wanted);
}

void VcdWriter::header(std::span<const Signal> signals, const std::vector<bool>& wanted) {
  // An empty date: otherwise vcd2fst would insert the current one.
  put("$date - $end\n$version hypermon $end\n$timescale 1 ps $end\n");
  std::vector<std::string_view> scopes;
  std::size_t next = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (!wanted[i]) continue;
    const Signal& s = signals[i];
    auto parts = split(s.path);
    const std::string name(parts.back());
    parts.pop_back();
    const auto same = std::mismatch(scopes.begin(), scopes.end(), parts.begin(), parts.end()).first - scopes.begin();
    for (std::ptrdiff_t left = std::ssize(scopes); left > same; --left) put("$upscope $end\n");
    for (std::ptrdiff_t entered = same; entered < std::ssize(parts); ++entered)
      put("$scope module " + std::string(parts[static_cast<std::size_t>(entered)]) + " $end\n");
    scopes = parts;
    const bool event = s.kind == Signal::Kind::event;
    const std::string code = code_of(next++);
    put(std::string("$var ") + (event ? "event 1 " : "wire " + std::to_string(s.bits) + " ") + code + " " + name +
        " $end\n");
    Code& c = codes_[i];
    c.vector = s.bits > 1;
    const std::string end = code + "\n";
    std::copy(end.begin(), end.end(), c.text.begin());
    c.length = static_cast<std::uint8_t>(end.size());
  }
  for (std::size_t left = scopes.size(); left > 0; --left) put("$upscope $end\n");
  put("$enddefinitions $end\n");
}

void VcdWriter::go_to(Time time) {
  if (time == now_) return;
  const bool first = now_ < 0_ps;
  if (dumping_ && !first) {
    put("$end\n");
    dumping_ = false;
  }
  now_ = time;
  std::array<char, 32> text{'#'};
  char* end = std::to_chars(text.data() + 1, text.data() + text.size() - 1, time.ps()).ptr;
  *end++ = '\n';
  put({text.data(), static_cast<std::size_t>(end - text.data())});
  if (first) put("$dumpvars\n");
}

// Writes each signal's value, with `b` in front if it has several bits, and its code.
void VcdWriter::write(std::span<const Change> changes) {
  for (const Change& change : changes) {
    go_to(change.time);
    ++transitions_[change.signal];
    const Code& code = codes_[change.signal];
    std::array<char, 80> text;
    char* to = text.data();
    if (!code.vector) {
      *to++ = change.known ? static_cast<char>('0' + (change.value & 1)) : 'x';
    } else {
      *to++ = 'b';
      if (change.known) {
        // The format allows leading zeros to be left out.
        for (int bits = std::max(1, static_cast<int>(std::bit_width(change.value))); bits > 0; --bits)
          *to++ = static_cast<char>('0' + (change.value >> (bits - 1) & 1));
      } else {
        *to++ = 'x';
      }
      *to++ = ' ';
    }
    to = std::copy_n(code.text.data(), code.length, to);
    put({text.data(), static_cast<std::size_t>(to - text.data())});
  }
}

void VcdWriter::close(Time end) {
  go_to(end);
  if (dumping_) put("$end\n");
  flush();
  if (std::fclose(file_.release()) != 0)
    throw std::runtime_error(path_ + ": cannot be written: " + std::strerror(errno));
}

void VcdWriter::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size())
    throw std::runtime_error(path_ + ": cannot be written: " + std::strerror(errno));
  buffer_.clear();
}

} // namespace hypermon
