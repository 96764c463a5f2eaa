// SPDX-License-Identifier: BSD-3-Clause
// Specification from and to JSON, and the description of all parameters that Python validates against.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"

namespace hypermon {

/// Loads a nested specification; missing parameters keep their defaults. {"disk[2]": {"seek_ms": 5}} is one disk
/// that differs, {"disk": ...} all others. Throws UserError for an unknown key (naming the nearest valid one), a number
/// that the machine does not have, a wrong type, a value out of range, or values that do not go together.
Spec spec_from_json(const Json& json);
/// The same as of a text with these changes in it, in time that does not grow with the parameters that are not changed.
/// Throws std::invalid_argument if one of several has parameters of its own, or is to: they start from those of all.
Spec changed(Spec spec, const Json& changes);
/// Every parameter, resolved, nested as in the input; of one of several only what differs.
Json to_json(const Spec& spec);
/// A list of all parameters: path, type, unit, default, what is allowed, whether there may be several that differ,
/// whether it is behind the ports (base/recording.hpp), description, source.
Json describe_parameters();

} // namespace hypermon
