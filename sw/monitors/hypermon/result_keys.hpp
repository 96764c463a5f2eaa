// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "base/parts.hpp"

#include <vector>

namespace hypermon {

ResultKeys hypermon_result_keys();

} // namespace hypermon
