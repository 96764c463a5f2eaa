// Functions of hypermon._core that are bound in a file of their own, and what these share.
#pragma once
#include "platforms/spec/json.hpp"
#include <pybind11/pybind11.h>

namespace hypermon {

void bind_capture(pybind11::module_& m);
void bind_drains(pybind11::module_& m);
void bind_merging(pybind11::module_& m);
void bind_recorded(pybind11::module_& m);
void bind_waves(pybind11::module_& m);

/// Throws UserError, which Python knows as BadSpecification.
inline Spec spec_of(const std::string& json) { return spec_from_json(nlohmann::ordered_json::parse(json)); }

} // namespace hypermon
