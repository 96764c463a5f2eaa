// SPDX-License-Identifier: BSD-3-Clause
// Converts specifications from and to JSON, and describes all parameters; Python validates against the description.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"

namespace hypermon {

/// Loads a nested specification; missing parameters keep their defaults. {"disk[2]": {"seek_ms": 5}} sets one disk that
/// differs, {"disk": ...} all others. Throws UserError for an unknown key (naming the nearest valid one), a number that
/// the machine does not have, a wrong type, a value out of range, or values that contradict each other.
Spec spec_from_json(const Json& json);
/// Applies changes to a specification as if they were in its text, in time that does not grow with the unchanged
/// parameters. Throws std::invalid_argument if an instance of a Several has or gets parameters of its own, because
/// these start from the common ones.
Spec changed(Spec spec, const Json& changes);
/// Every parameter, resolved, nested as in the input. Instances of a Several appear only with what differs.
Json to_json(const Spec& spec);
/// A list of all parameters: path, type, unit, default, allowed values, whether instances of a Several may differ in
/// it, whether it is behind the ports (base/recording.hpp), description, source.
Json describe_parameters();

} // namespace hypermon
