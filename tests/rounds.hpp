// SPDX-License-Identifier: BSD-3-Clause
// Random cases with shrinking, in rounds until there were enough.
#pragma once
#include "tests/catch.hpp"
#include "tests/volume.hpp"
#include <cstdint>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>
#include <sstream>
#include <string>
#include <unordered_map>

namespace hypermon::testing {

/// `differs` draws a case and returns its fault, or an empty text. A faulty case is shrunk, and the test fails with the
/// seed that repeats it.
template <class Enough, class Differs> void check_in_rounds(std::uint64_t seed, Enough&& enough, Differs&& differs) {
  rc::detail::TestParams params;
  params.seed = from_environment("HYPERMON_TEST_SEED", seed);
  params.maxSuccess = 20;
  // without this, it reads RC_PARAMS and a clock
  const std::unordered_map<std::string, rc::detail::Reproduce> no_reproduction;
  for (; !enough(); ++params.seed) {
    const auto property = [&] {
      const std::string what = differs();
      if (!what.empty()) RC_FAIL(what);
    };
    rc::detail::TestListenerAdapter silent;
    const auto result =
        rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params, silent, no_reproduction);
    if (result.template is<rc::detail::SuccessResult>()) continue;
    std::ostringstream failure;
    rc::detail::printResultMessage(result, failure);
    FAIL(failure.str() << "\nTo repeat it: HYPERMON_TEST_SEED=" << params.seed);
  }
}

} // namespace hypermon::testing
