// SPDX-License-Identifier: BSD-3-Clause
// What the worker says of itself: all that Python knows of parameters, results, monitors and workloads.
#pragma once
#include "base/json_value.hpp"

namespace hypermon {

/// {"parameters": [...], "results": [every key with unit and description], "monitors": [name, sections, result keys,
/// ledger's unit and places of losses, what it can do], "workloads": [name, sections, result keys], "versions": {...}}.
Json describe();
/// Of hypermon and of what it is built on.
Json versions();

} // namespace hypermon
