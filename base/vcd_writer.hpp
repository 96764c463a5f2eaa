// SPDX-License-Identifier: BSD-3-Clause
// Value Change Dump (IEEE 1364-2005 sec. 18), the waves that every viewer reads. The same changes give the same bytes.
#pragma once
#include "base/signal.hpp"
#include <array>
#include <cstdio>
#include <memory>
#include <span>

namespace hypermon {

/// Timescale 1 ps. Signals in the order given; those of one scope should follow one another.
class VcdWriter {
public:
  /// Of the signals only those that are `wanted`. Throws std::runtime_error if the file cannot be written, as all do.
  VcdWriter(const std::string& path, std::span<const Signal> signals, const std::vector<bool>& wanted);

  /// In the order of times. The first are the values at the beginning.
  void write(std::span<const Change> changes);
  /// The waves end at `end`.
  void close(Time end);

  /// By signal.
  const std::vector<std::uint64_t>& transitions() const { return transitions_; }

private:
  void header(std::span<const Signal> signals, const std::vector<bool>& wanted);
  void go_to(Time time);
  void put(std::string_view text) {
    if (buffer_.size() + text.size() > capacity) flush();
    buffer_ += text;
  }
  void flush();

  static constexpr std::size_t capacity = 1 << 20;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
  struct Code {
    std::array<char, 8> text{}; // what follows a value: the signal's code and the end of the line
    std::uint8_t length = 0;
    bool vector = false; // a value of several bits
  };
  std::vector<Code> codes_; // by signal
  Time now_ = Time::from_ps(-1);
  bool dumping_ = true; // the values at the beginning
  std::vector<std::uint64_t> transitions_;
};

} // namespace hypermon
