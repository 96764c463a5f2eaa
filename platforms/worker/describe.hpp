// SPDX-License-Identifier: BSD-3-Clause
// Self-description of the worker, from which Python gets parameters, results, monitors and workloads.
#pragma once
#include "base/json_value.hpp"

namespace hypermon {

/// {"parameters": [...], "results": [every key with unit and description], "monitors": [name, sections, result keys,
/// ledger's unit and places of losses, what it can do], "workloads": [name, sections, result keys], "versions": {...}}.
Json describe();
/// Versions of hypermon and its dependencies.
Json versions();

} // namespace hypermon
