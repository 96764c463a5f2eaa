// Specification from and to JSON, and the description of all parameters that Python validates against.
#pragma once
#include "platforms/spec/spec.hpp"
#include <nlohmann/json.hpp>

namespace hypermon {

/// Loads a nested specification; missing parameters keep their defaults. Throws UserError for an unknown key
/// (naming the nearest valid one), a wrong type or a value out of range.
Spec spec_from_json(const nlohmann::ordered_json& json);
/// Every parameter, resolved, nested as in the input.
nlohmann::ordered_json to_json(const Spec& spec);
/// A list of all parameters: path, type, unit, default, what is allowed, description, source.
nlohmann::ordered_json describe_parameters();

} // namespace hypermon
