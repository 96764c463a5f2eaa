// SPDX-License-Identifier: BSD-3-Clause
// Parses failures of processes, with their times and durations: "10 mon 3 2; 20.5 supermon 1 5".
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hypermon {

/// A kind of processes that can fail.
struct Mortal {
  std::string word;   ///< name of the kind in the text
  std::string plural; ///< "supermons"
  std::int64_t count = 0;
  std::string busy{}; ///< a program with which these processes cannot fail; empty: none
};

/// A time and a duration in s, as users write downtimes. `refuse(why)` throws.
struct Downtime {
  Time begin;
  Time end;
  static Downtime from_seconds(double begin, double duration,
                               const std::function<void(const std::string& why)>& refuse);
};

struct Failure {
  std::string text; ///< entry as the user wrote it
  std::size_t kind; ///< index of the kind that fails
  std::uint32_t number;
  Time begin;
  Time end;
};

/// Failures in the order of the text. Throws UserError with `path` if the text cannot be parsed, or names a process
/// that does not exist or cannot fail.
std::vector<Failure> failures_of(const std::string& path, const std::string& text, const std::vector<Mortal>& mortals);

} // namespace hypermon
