// SPDX-License-Identifier: BSD-3-Clause
// Writes Value Change Dump files (IEEE 1364-2005 sec. 18), which every waveform viewer reads. Equal changes give equal
// files.
#pragma once
#include "base/signal.hpp"
#include <array>
#include <cstdio>
#include <memory>
#include <span>

namespace hypermon {

/// Timescale 1 ps. Signals are declared in the given order; those of one scope should be adjacent.
class VcdWriter {
public:
  /// Writes only the `wanted` signals. Throws std::runtime_error if the file cannot be written, as all functions do.
  VcdWriter(const std::string& path, std::span<const Signal> signals, const std::vector<bool>& wanted);

  /// Changes come in the order of time. The first ones are the initial values.
  void write(std::span<const Change> changes);
  /// Ends the waveform at `end`.
  void close(Time end);

  /// Number of transitions, by signal.
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
    std::array<char, 8> text{}; // text after a value: the signal's code and the end of the line
    std::uint8_t length = 0;
    bool vector = false; // the value has several bits
  };
  std::vector<Code> codes_; // by signal
  Time now_ = Time::from_ps(-1);
  bool dumping_ = true; // true while the initial values are written
  std::vector<std::uint64_t> transitions_;
};

} // namespace hypermon
