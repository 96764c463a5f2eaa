// Functions of hypermon._core that are bound in a file of their own.
#pragma once
#include <pybind11/pybind11.h>

namespace hypermon {

void bind_capture(pybind11::module_& m);
void bind_drains(pybind11::module_& m);
void bind_merging(pybind11::module_& m);
void bind_recorded(pybind11::module_& m);
void bind_waves(pybind11::module_& m);

} // namespace hypermon
