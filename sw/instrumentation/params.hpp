// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the instrumentation.
#pragma once
#include <string>

namespace hypermon {

struct InstrumentationParams {
  std::string catalogue = "nx2";
};

} // namespace hypermon
