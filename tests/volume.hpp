// SPDX-License-Identifier: BSD-3-Clause
// How much a test compares: by default, under sanitizers, and as a user asks.
#pragma once
#include <cstdint>
#include <cstdlib>

namespace hypermon::testing {

/// HYPERMON_TEST_STROBES and HYPERMON_TEST_SEED change volume and seed of tests.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// How many random cases are compared: HYPERMON_TEST_CASES, else so many as given. A quarter of those under sanitizers,
/// which look for faults of memory and not of results.
inline std::uint64_t cases_wanted(std::uint64_t otherwise) {
  return from_environment("HYPERMON_TEST_CASES", sanitized ? (otherwise + 3) / 4 : otherwise);
}

} // namespace hypermon::testing
